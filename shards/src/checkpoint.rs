//! Checkpoints: a folder with one saved world per rank.
//!
//! ```text
//! checkpoints/120.partial/3    while it is written: the world of rank 3, and a checksum
//! checkpoints/120/3            when all ranks are done, rank 0 renames the folder
//! ```

use crate::{ShardError, Shards, Transport};
use ecs::World;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const PARTIAL: &str = "partial";
const CHECKSUM: usize = 4;

impl<T: Transport> Shards<T> {
    /// Saves the worlds of all ranks as the checkpoint of this step, in a folder that all ranks share. The checkpoint is
    /// complete or absent, whatever happens meanwhile; older ones are deleted when it is complete. Collective.
    ///
    /// Ghosts are not in it, nor are components and resources that say `save = skip`.
    ///
    /// # Errors
    /// When any rank fails to write its world, or has a component or a resource that is neither saved nor skipped. The last
    /// complete checkpoint stays.
    pub fn save(&mut self, world: &World, folder: &Path, step: u64) -> Result<(), ShardError> {
        let (partial, complete) =
            (folder.join(format!("{step}.{PARTIAL}")), folder.join(step.to_string()));
        let begun = if self.rank() == 0 { begin(&partial) } else { Ok(()) };
        self.agree(&partial, begun)?;
        let mut bytes = Vec::new();
        let written = world.save().to_bytes(&mut bytes).map_err(|error| error.to_string());
        let file = partial.join(self.rank().to_string());
        self.agree(&file, written.and_then(|_| write(&file, bytes).map_err(|it| it.to_string())))?;
        let ended = if self.rank() == 0 { end(folder, &partial, &complete) } else { Ok(()) };
        self.agree(&complete, ended.map_err(|error| error.to_string()))
    }

    /// Loads the last complete checkpoint into the worlds of all ranks, and returns its step; nothing if there is none.
    /// Collective. Call it before the first step, on as many ranks as saved it.
    ///
    /// # Errors
    /// When the checkpoint is of another number of ranks, or a rank cannot read its world.
    pub fn load_last(
        &mut self,
        world: &mut World,
        folder: &Path,
    ) -> Result<Option<u64>, ShardError> {
        let last = if self.rank() == 0 { last_step(folder) } else { Ok(None) };
        let last = last.map_err(|error| error.to_string());
        // Rank 0 looks, and all ranks go by its result.
        let step = self.reduce(last, |of_first, _| of_first)?;
        let step = step.map_err(|what| ShardError::Checkpoint { path: folder.to_owned(), what })?;
        let Some(step) = step else { return Ok(None) };
        let complete = folder.join(step.to_string());
        let file = complete.join(self.rank().to_string());
        let loaded = count(&complete, self.ranks()).and_then(|()| {
            let bytes = read(&file).map_err(|error| error.to_string())?;
            world.load(&bytes, &self.limits).map(drop).map_err(|error| error.to_string())
        });
        self.agree(&file, loaded)?;
        self.load_abroad(world)?;
        Ok(Some(step))
    }

    /// Returns the error of the first rank that has one, on all ranks.
    fn agree<E: ToString>(&mut self, path: &Path, result: Result<(), E>) -> Result<(), ShardError> {
        let error = result.err().map(|error| (path.to_owned(), error.to_string()));
        match self.reduce(error, Option::or)? {
            Some((path, what)) => Err(ShardError::Checkpoint { path, what }),
            None => Ok(()),
        }
    }
}

/// Makes the folder of a checkpoint, anew if it was left unfinished.
fn begin(partial: &Path) -> Result<(), String> {
    if partial.exists() {
        fs::remove_dir_all(partial).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(partial).map_err(|error| error.to_string())
}

fn write(file: &Path, mut bytes: Vec<u8>) -> io::Result<()> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let mut file = File::create(file)?;
    file.write_all(&bytes)?;
    file.sync_all()
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = fs::read(file)?;
    let checked = bytes.split_last_chunk::<CHECKSUM>();
    if checked.is_none_or(|(bytes, sum)| crc32fast::hash(bytes).to_le_bytes() != *sum) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is wrong"));
    }
    bytes.truncate(bytes.len() - CHECKSUM);
    Ok(bytes)
}

/// Completes a checkpoint, and deletes all others.
fn end(folder: &Path, partial: &Path, complete: &Path) -> io::Result<()> {
    if complete.exists() {
        fs::remove_dir_all(complete)?;
    }
    File::open(partial)?.sync_all()?;
    fs::rename(partial, complete)?;
    File::open(folder)?.sync_all()?;
    for (step, path) in checkpoints(folder)? {
        if path != complete {
            debug_assert!(step.is_none() || path.is_dir());
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

/// Returns the folders of checkpoints: the steps of complete ones, and nothing for unfinished ones.
fn checkpoints(folder: &Path) -> io::Result<Vec<(Option<u64>, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let step = path.file_stem().and_then(|step| step.to_str()?.parse().ok());
        let is_partial = path.extension().is_some_and(|extension| extension == PARTIAL);
        if let (Some(step), true) = (step, path.extension().is_none() || is_partial) {
            found.push((Some(step).filter(|_| !is_partial), path));
        }
    }
    Ok(found)
}

fn last_step(folder: &Path) -> io::Result<Option<u64>> {
    if !folder.exists() {
        return Ok(None);
    }
    Ok(checkpoints(folder)?.into_iter().filter_map(|(step, _)| step).max())
}

fn count(complete: &Path, ranks: usize) -> Result<(), String> {
    let worlds = fs::read_dir(complete).map_err(|error| error.to_string())?.count();
    if worlds == ranks {
        return Ok(());
    }
    Err(format!("it has {worlds} worlds, and there are {ranks} ranks: run as many as saved it"))
}

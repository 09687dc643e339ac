//! The folder of mods: its files are read when they change.

use crate::components::{Schema, change};
use crate::script::{Host, Script};
use ecs::save::Prefabs;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const COMPONENTS: &str = "components.json";
const MONSTERS: &str = "monsters.json";
const START: &str = "start.rhai";

/// A folder, with its files as they were read last.
pub(crate) struct Folder {
    path: PathBuf,
    texts: BTreeMap<String, String>,
    components: Schema,
    scripts: BTreeMap<String, Script>,
}

/// The files that a reload read anew, and the mistakes in them.
#[derive(Default)]
pub(crate) struct Reload {
    pub(crate) changed: Vec<String>,
    pub(crate) errors: Vec<String>,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            texts: BTreeMap::new(),
            components: Schema::new(),
            scripts: BTreeMap::new(),
        }
    }

    pub(crate) fn start(&self) -> Option<&Script> {
        self.scripts.get(START)
    }

    /// Returns the systems, in the order of their files' names.
    pub(crate) fn systems(&self) -> impl Iterator<Item = (&str, &Script)> {
        self.scripts.iter().map(|(file, script)| (file.as_str(), script))
    }

    /// Reads the files that changed. A file with a mistake changes nothing: its last good version stays.
    pub(crate) fn reload(&mut self, host: &Host) -> Reload {
        let mut answer = Reload::default();
        let texts = match self.read() {
            Ok(texts) => texts,
            Err(error) => {
                answer.errors.push(format!("{}: {error}", self.path.display()));
                return answer;
            }
        };
        let changed = texts.iter().filter(|(file, text)| self.texts.get(*file) != Some(text));
        answer.changed = changed.map(|(file, _)| file.clone()).collect();
        let is_changed = |file: &str| answer.changed.iter().any(|it| it == file);
        let schema_changed = is_changed(COMPONENTS);
        if schema_changed {
            let changed = change(&mut host.state().world, &mut self.components, &texts[COMPONENTS]);
            answer.errors.extend(changed.into_iter().map(|it| format!("{COMPONENTS}{it}")));
        }
        // Monsters and queries name components, which may have come only now.
        if (schema_changed || is_changed(MONSTERS))
            && let Some(text) = texts.get(MONSTERS)
        {
            answer.errors.extend(read_monsters(host, text).err());
        }
        self.scripts.retain(|file, _| texts.contains_key(file));
        for (file, text) in texts.iter().filter(|(file, _)| is_script(file)) {
            if schema_changed || is_changed(file) {
                match host.compile(file, text) {
                    Ok(script) => _ = self.scripts.insert(file.clone(), script),
                    Err(error) => answer.errors.push(error),
                }
            }
        }
        self.texts = texts;
        answer
    }

    fn read(&self) -> io::Result<BTreeMap<String, String>> {
        let mut texts = BTreeMap::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let file = entry.file_name().to_string_lossy().into_owned();
            if is_script(&file) || file == COMPONENTS || file == MONSTERS {
                texts.insert(file, fs::read_to_string(entry.path())?);
            }
        }
        Ok(texts)
    }
}

fn is_script(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|it| it == "rhai")
}

/// Returns an error of JSON as others are shown: `:line:column: text`.
pub(crate) fn json_error(error: &serde_json::Error) -> String {
    let (mut text, place) = (error.to_string(), (error.line(), error.column()));
    text.truncate(text.rfind(" at line ").unwrap_or(text.len()));
    format!(":{}:{}: {text}", place.0, place.1)
}

/// Reads monsters. They have the present fields of their components, also where these were changed while the game ran.
fn read_monsters(host: &Host, text: &str) -> Result<(), String> {
    let mut state = host.state();
    let mut prefabs = Prefabs::new();
    let read = prefabs.read(&state.world, |seed| {
        seed.in_present_versions().read(&mut serde_json::Deserializer::from_str(text))
    });
    read.map_err(|it| format!("{MONSTERS}{}", json_error(&it)))?;
    state.prefabs = prefabs;
    Ok(())
}

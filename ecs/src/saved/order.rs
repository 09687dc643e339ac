//! The order of pools in the form of files: behind the groups.
//!
//! ```text
//! begin     0 if there is nothing to go on with, and then nothing follows; or 1
//! names     of pools without a part, as they are empty; their places are behind the parts
//! state     bank and its target, matches found and lost, gain, pause, failures, calm, what is due
//! pools     by place in the file: account, changes since the last repair, loops
//! tiling    bands, tiles, unused tiles, kinds with their tiles and single entities, whether bands wait
//! ```

use crate::component::data::SavingName;
use crate::entities::Entities;
use crate::entity::Entity;
use crate::format::reader::{ReadError, Reader, wrong};
use crate::format::writer::{write_list, write_number, write_text};
use crate::group::groups::Groups;
use crate::order::check::check;
use crate::order::{Account, MOST_FAILURES, MOST_GAIN, PoolOrder, places_in};
use crate::pool::pools::Pools;
use crate::pool::tiling::{BandSet, MOST_BANDS, Tile, Tiling, bands_of};
use crate::storage::keys::{Noted, Walked};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The greatest balance, in either direction.
const MOST: i64 = i64::MAX >> 1;

type Result<T, E = ReadError> = core::result::Result<T, E>;

/// An order, if the file has one, and the numbers of the pools by their places there.
pub(crate) type RestoredOrder = Option<(SavedOrder, Vec<Option<u32>>)>;

/// The order that was read from a file, with places instead of numbers.
#[derive(Debug, Default)]
pub(crate) struct SavedOrder {
    /// The saved names of the pools without a part.
    pub(crate) names: Vec<String>,
    bank: i64,
    target: i64,
    found: i64,
    lost: i64,
    gain: i64,
    pause: u32,
    failures: u32,
    calm: u32,
    /// 1 if anything came or went since the last repair, plus two times the requests of loops.
    due: u8,
    pools: Vec<(usize, SavedAccount)>,
    tiling: Option<SavedTiling>,
}

/// The account, the changes and the loops of a pool.
#[derive(Debug, Default)]
struct SavedAccount {
    account: Account,
    partners: [Vec<usize>; 2],
    noted: Noted<'static, Entity>,
    walked: Walked,
}

#[derive(Debug, Default)]
struct SavedTiling {
    /// The places of the pools, and their tiles in order, for each band.
    bands: Vec<(Option<usize>, Vec<u32>)>,
    tiles: Vec<(Tile, Vec<u32>)>,
    unused: Vec<u32>,
    kinds: Vec<SavedKind>,
    waits: bool,
}

#[derive(Debug, Default)]
struct SavedKind {
    kind: BandSet,
    tiles: Vec<u32>,
    single: Vec<(Entity, Vec<u32>)>,
}

fn write_signed(number: i64, bytes: &mut Vec<u8>) {
    write_number((number << 1 ^ number >> 63).cast_unsigned(), bytes);
}

fn signed(reader: &mut Reader) -> Result<i64> {
    let number = reader.number()?;
    let number = (number >> 1).cast_signed() ^ -(number & 1).cast_signed();
    if (-MOST..=MOST).contains(&number) { Ok(number) } else { wrong("a number is too large") }
}

fn narrow<N: TryFrom<u64>>(reader: &mut Reader) -> Result<N> {
    N::try_from(reader.number()?).or_else(|_| wrong("a number is too large"))
}

fn entity(reader: &mut Reader) -> Result<Entity> {
    Entity::from_bits(reader.number()?).map_or_else(|| wrong("it is no handle"), Ok)
}

/// The account of a pool, the changes of its keys, and its loops.
type AccountState<'k> = (Account, Noted<'k, Entity>, Walked);

impl PoolOrder {
    /// Returns the state of a pool, if there is any.
    fn state<'p>(&self, pools: &'p Pools, number: u32) -> Option<AccountState<'p>> {
        let account = self.accounts.get(number as usize).copied().unwrap_or_default();
        let keys = pools.keys_at(number);
        let noted = keys.noted();
        let walked = if self.is_off { Walked::default() } else { keys.walks.get() };
        let is_new =
            account == Account::default() && noted == Noted::NONE && walked == Walked::default();
        (!is_new).then_some((account, noted, walked))
    }

    /// Adds the numbers of saved pools with a state but without a part, and returns their names.
    fn add_empty(&self, pools: &Pools, parts: &mut Vec<Option<u32>>) -> Vec<SavingName> {
        let mut empty = Vec::new();
        for (number, pool) in pools.numbered() {
            if !parts.contains(&Some(number))
                && pool.is_empty()
                && let Some((name, _)) = pool.kind().saving()
                && self.state(pools, number).is_some()
            {
                empty.push((name, number));
            }
        }
        empty.sort_unstable_by_key(|of| of.0);
        parts.extend(empty.iter().map(|(_, number)| Some(*number)));
        empty.into_iter().map(|(name, _)| name).collect()
    }

    /// Appends the order, or that there is nothing to go on with. `parts` are the numbers of the saved pools, in the order of
    /// their places in the file.
    pub(crate) fn write(
        &self,
        pools: &Pools,
        entities: &Entities,
        parts: &[Option<u32>],
        bytes: &mut Vec<u8>,
    ) {
        let mut parts = parts.to_vec();
        let names = self.add_empty(pools, &mut parts);
        let place = |number: u32| parts.iter().position(|part| *part == Some(number));
        let partners = |words: [u64; 4]| -> Vec<u64> {
            let numbers = places_in(words).filter_map(|at| pools.number_at(at));
            let mut places: Vec<u64> = numbers.filter_map(place).map(|at| at as u64).collect();
            places.sort_unstable();
            places
        };
        let mut states = Vec::new();
        for (at, number) in parts.iter().enumerate() {
            let Some(number) = *number else { continue };
            if let Some((account, noted, walked)) = self.state(pools, number) {
                states.push((at, account, noted, walked));
            }
        }
        let tiling = pools.tiling().map(|tiling| {
            let mut tiling = tiling.clone();
            for band in bands_of(tiling.all()) {
                if place(tiling.band(band).number).is_none() {
                    tiling.remove_band(band);
                }
            }
            tiling
        });
        let is_new = states.is_empty() && tiling.is_none() && self.found == 0;
        bytes.push(u8::from(!is_new));
        if is_new {
            return;
        }
        write_number(names.len() as u64, bytes);
        for name in &names {
            write_text(&name.to_string(), bytes);
        }
        for number in [self.bank, self.target, self.found, self.lost, self.gain] {
            write_signed(number, bytes);
        }
        for number in [self.pause, self.failures, self.calm] {
            write_number(number.into(), bytes);
        }
        let asked = if self.is_off { 0 } else { pools.asked() };
        let has_edits = tiling.is_some() && self.seen != entities.turnover();
        bytes.push(u8::from(has_edits) | asked << 1);
        write_number(states.len() as u64, bytes);
        for (at, account, noted, walked) in states {
            write_number(at as u64, bytes);
            write_signed(account.balance, bytes);
            write_signed(account.lost, bytes);
            write_signed(account.gain, bytes);
            write_number(account.failures.into(), bytes);
            write_list(partners(account.partners).into_iter(), bytes);
            let Noted { tiled, least, gaps, is_pinned, band } = noted;
            bytes.push(u8::from(is_pinned));
            write_number(band.map_or(0, |band| u64::from(band) + 1), bytes);
            write_number(tiled.into(), bytes);
            write_number(least.into(), bytes);
            write_number(gaps.len() as u64, bytes);
            for (entity, position) in &*gaps {
                write_number(entity.to_bits(), bytes);
                write_number((*position).into(), bytes);
            }
            write_number(walked.matches, bytes);
            write_number(walked.lost, bytes);
            write_list(partners(walked.places).into_iter(), bytes);
        }
        match tiling {
            None => bytes.push(0),
            Some(tiling) => {
                bytes.push(1);
                write_tiling(&tiling, place, bytes);
            }
        }
    }

    /// Restores the order of a world that was filled from a file. `numbers` are the numbers of the pools, by their places
    /// in the file; unknown pools, and pools owned by a group, are left out.
    pub(crate) fn restore(
        &mut self,
        saved: SavedOrder,
        numbers: &[Option<u32>],
        pools: &mut Pools,
        entities: &Entities,
        groups: &Groups,
    ) {
        let number = |place: &usize| numbers.get(*place).copied().flatten();
        let places = |places: &[usize], pools: &Pools| {
            let mut words = [0; 4];
            let numbers = places.iter().filter_map(number);
            for place in numbers.filter_map(|number| pools.place_of(number)) {
                words[usize::from(place / 64)] |= 1 << (place % 64);
            }
            words
        };
        (self.bank, self.target) = (saved.bank, saved.target);
        (self.found, self.lost, self.gain) = (saved.found, saved.lost, saved.gain);
        (self.pause, self.failures, self.calm) = (saved.pause, saved.failures, saved.calm);
        self.seen = entities.turnover().wrapping_sub(usize::from(saved.due & 1));
        pools.ask(saved.due >> 1);
        for (place, pool) in &saved.pools {
            let Some(number) = number(place) else { continue };
            let partners = pool.partners.each_ref().map(|list| places(list, pools));
            *self.account(number) = Account { partners: partners[0], ..pool.account };
            pools.keys_at(number).walks.set(Walked { places: partners[1], ..pool.walked });
        }
        let tiling = saved.tiling.and_then(|tiling| {
            let is_there = |number: &u32| pools.find_at(*number).is_some();
            let numbers = tiling.bands.iter().map(|(place, _)| match place {
                None => Some(None),
                Some(place) => number(place).filter(is_there).map(Some),
            });
            let numbers: Vec<Option<u32>> = numbers.collect::<Option<_>>()?;
            tiling.into_tiling(&numbers, entities.index_count())
        });
        let is_tiled = tiling.is_some();
        *pools.tiling_mut() = tiling.map(Box::new);
        for (place, SavedAccount { noted, .. }) in saved.pools {
            if let Some(number) = number(&place) {
                let noted = if is_tiled && !groups.own(number) {
                    noted
                } else {
                    Noted { is_pinned: noted.is_pinned, ..Noted::NONE }
                };
                pools.at_mut(number).set_mut().restore_noted(noted);
            }
        }
        if self.is_off {
            self.turn(pools, entities, false);
        } else if check(pools).is_err() {
            // Loading changed values, so that members lie elsewhere.
            let numbers =
                pools.tiling_mut().take().map(|tiling| tiling.numbers()).unwrap_or_default();
            numbers.into_iter().for_each(|number| pools.at_mut(number).set_mut().scatter());
        }
    }
}

fn write_tiling(tiling: &Tiling, place: impl Fn(u32) -> Option<usize>, bytes: &mut Vec<u8>) {
    let bands = tiling.bands().map(|(at, _)| at + 1).max().unwrap_or(0);
    write_number(bands as u64, bytes);
    for at in 0..bands {
        let band = tiling.band(at);
        write_number(place(band.number).map_or(0, |place| place as u64 + 1), bytes);
        write_list(band.row.iter().map(|(_, tile)| (*tile).into()), bytes);
    }
    let tiles = tiling.tiles();
    write_number(tiles.len() as u64, bytes);
    for (tile, of) in (0..).zip(tiles) {
        let kind = if tiling.unused.contains(&tile) { 0 } else { of.kind };
        write_number(kind, bytes);
        write_number(of.len.into(), bytes);
        for band in bands_of(kind) {
            write_number(tiling.start(tile, band).into(), bytes);
        }
    }
    write_list(tiling.unused.iter().map(|tile| (*tile).into()), bytes);
    write_number(tiling.kinds.len() as u64, bytes);
    for of in &tiling.kinds {
        write_number(of.kind, bytes);
        write_list(of.tiles.iter().map(|tile| (*tile).into()), bytes);
        write_number(of.single.len() as u64, bytes);
        for (at, entity) in of.single.iter().enumerate() {
            write_number(entity.to_bits(), bytes);
            for band in bands_of(of.kind) {
                write_number(of.position(at, band).into(), bytes);
            }
        }
    }
    bytes.push(u8::from(tiling.waits));
}

impl SavedOrder {
    /// Reads an order. `parts` is the number of the pools in the file.
    pub(crate) fn read(reader: &mut Reader, parts: usize) -> Result<Option<Self>> {
        match reader.byte()? {
            0 => return Ok(None),
            1 => {}
            _ => return wrong("there are bytes behind the end"),
        }
        let names: Vec<String> = reader.list(|reader| {
            let name = reader.text()?;
            reader.pay(name.len(), 1)?;
            Ok(name.to_owned())
        })?;
        let parts = parts + names.len();
        let place = |reader: &mut Reader| match narrow::<usize>(reader)? {
            place if place < parts => Ok(place),
            _ => wrong("an order is of no component"),
        };
        let failures = |reader: &mut Reader| match narrow(reader)? {
            failures @ 0..=MOST_FAILURES => Ok(failures),
            _ => wrong("a number is too large"),
        };
        let least_gain = |least: i64| {
            move |reader: &mut Reader| match signed(reader)? {
                gain if (least..=MOST_GAIN).contains(&gain) => Ok(gain),
                _ => wrong("the gain of an order is out of range"),
            }
        };
        let (bank, target) = (signed(reader)?, signed(reader)?);
        let (found, lost, all_gain) = (signed(reader)?, signed(reader)?, least_gain(1)(reader)?);
        if found < 0 || lost < 0 || target < 0 {
            return wrong("the gain of an order is out of range");
        }
        let (pause, failed, calm) = (narrow(reader)?, failures(reader)?, narrow(reader)?);
        let due = reader.byte()? & 7;
        let pools = reader.list(|reader| {
            let at = place(reader)?;
            let (balance, lost, gain) = (signed(reader)?, signed(reader)?, least_gain(0)(reader)?);
            let failures = failures(reader)?;
            let account = Account { balance, lost, gain, failures, partners: [0; 4] };
            let of_account = reader.list(place)?;
            let is_pinned = reader.byte()? & 1 != 0;
            let mark = reader.number()?.checked_sub(1).map(u8::try_from);
            let mark = mark.transpose().or_else(|_| wrong("a number is too large"))?;
            let (tiled, least) = (narrow(reader)?, narrow(reader)?);
            let gaps = reader.list(|reader| Ok((entity(reader)?, narrow(reader)?)))?;
            let noted = Noted { tiled, least, gaps: gaps.into(), is_pinned, band: mark };
            let (matches, lost) = (reader.number()?, reader.number()?);
            let walked = Walked { matches, lost, places: [0; 4] };
            Ok((
                at,
                SavedAccount {
                    account,
                    partners: [of_account, reader.list(place)?],
                    noted,
                    walked,
                },
            ))
        })?;
        let tiling = match reader.byte()? {
            0 => None,
            _ => Some(SavedTiling::read(reader, parts)?),
        };
        Ok(Some(Self {
            names,
            bank,
            target,
            found,
            lost,
            gain: all_gain,
            pause,
            failures: failed,
            calm,
            due,
            pools,
            tiling,
        }))
    }
}

impl SavedTiling {
    fn read(reader: &mut Reader, parts: usize) -> Result<Self> {
        let bands: Vec<(Option<usize>, Vec<u32>)> = reader.list(|reader| {
            let place = match narrow::<usize>(reader)? {
                place if place <= parts => place.checked_sub(1),
                _ => return wrong("an order is of no component"),
            };
            Ok((place, reader.list(narrow)?))
        })?;
        let is_new = |at: usize| {
            let (place, row) = &bands[at];
            bands[..at].iter().all(|(other, _)| place.is_none() || other != place)
                && (place.is_some() || row.is_empty())
        };
        if bands.len() > MOST_BANDS || !(0..bands.len()).all(is_new) {
            return wrong("a pool is ordered twice");
        }
        let all = bands.iter().enumerate().filter(|(_, (place, _))| place.is_some());
        let all = all.fold(0, |all: BandSet, (at, _)| all | 1 << at);
        let kind = |reader: &mut Reader| match reader.number()? {
            kind if kind & !all == 0 => Ok(kind),
            _ => wrong("a kind is of no pool"),
        };
        let tiles: Vec<(Tile, Vec<u32>)> = reader.list(|reader| {
            let kind = kind(reader)?;
            let len = narrow(reader)?;
            reader.pay(2 * MOST_BANDS, size_of::<u32>())?;
            let starts: Result<Vec<u32>> = bands_of(kind).map(|_| narrow(reader)).collect();
            Ok((Tile { kind, len }, starts?))
        })?;
        let mut is_listed = alloc::vec![false; tiles.len()];
        let mut tile = |reader: &mut Reader, kind: BandSet| {
            let tile: u32 = narrow(reader)?;
            let found = tiles.get(tile as usize).filter(|(tile, _)| tile.kind == kind);
            match (found, is_listed.get_mut(tile as usize)) {
                (Some(_), Some(is_listed @ false)) => {
                    *is_listed = true;
                    Ok(tile)
                }
                _ => wrong("a tile is listed twice, or for another kind"),
            }
        };
        let unused = reader.list(|reader| tile(reader, 0))?;
        let kinds: Vec<SavedKind> = reader.list(|reader| {
            let kind = match kind(reader)? {
                0 => return wrong("a kind is of no pool"),
                kind => kind,
            };
            let tiles = reader.list(|reader| tile(reader, kind))?;
            let single = reader.list(|reader| {
                let entity = entity(reader)?;
                reader.pay(2 * MOST_BANDS, size_of::<u32>())?;
                let positions: Result<Vec<u32>> = bands_of(kind).map(|_| narrow(reader)).collect();
                Ok((entity, positions?))
            })?;
            Ok(SavedKind { kind, tiles, single })
        })?;
        let mut all_kinds: Vec<BandSet> = kinds.iter().map(|of| of.kind).collect();
        all_kinds.sort_unstable();
        if all_kinds.windows(2).any(|pair| pair[0] == pair[1]) || is_listed.contains(&false) {
            return wrong("a kind is there twice, or a tile in no list");
        }
        let waits = reader.byte()? & 1 != 0;
        Ok(Self { bands, tiles, unused, kinds, waits })
    }

    /// Returns the tiling of the pools with these numbers, one for each band; or `None` if it does not fit together.
    fn into_tiling(self, numbers: &[Option<u32>], indices: usize) -> Option<Tiling> {
        let mut tiling = Tiling::with_bands(numbers);
        for (tile, starts) in &self.tiles {
            tiling.push_tile(*tile, bands_of(tile.kind).zip(starts.iter().copied()));
        }
        let has = |tile: &u32, band: usize| {
            self.tiles.get(*tile as usize).is_some_and(|(tile, _)| tile.kind >> band & 1 != 0)
        };
        for (band, (_, row)) in self.bands.iter().enumerate() {
            if !row.iter().all(|tile| has(tile, band)) {
                return None;
            }
            let count = self.tiles.iter().filter(|(tile, _)| tile.kind >> band & 1 != 0).count();
            if count != row.len() {
                return None;
            }
            tiling.set_row(band, row);
        }
        for of in self.kinds {
            tiling.add_kind(of.kind, of.tiles);
            for (entity, of_bands) in of.single {
                if entity.index() as usize >= indices {
                    return None;
                }
                let mut positions = [0; MOST_BANDS];
                bands_of(of.kind).zip(of_bands).for_each(|(band, at)| positions[band] = at);
                tiling.add_single(entity, of.kind, &positions);
            }
        }
        (tiling.unused, tiling.waits) = (self.unused, self.waits);
        Some(tiling)
    }
}

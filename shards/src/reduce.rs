use crate::message::Kind;
use crate::{Identity, ShardError, Shards, Transport};
use serde::Serialize;
use serde::de::DeserializeOwned;

impl<T: Transport> Shards<T> {
    /// Combines a value of each rank by `fold`, from rank 0 to the last one, and returns the result on all ranks.
    /// Collective; 2 × (ranks − 1) messages in all, in 2 × log₂(ranks) rounds.
    ///
    /// The result is the same in each run on one number of ranks. For the same on any number, `fold` must be exact: sums
    /// of integers are, sums of floats are not. See [`reduce_by_identity`](Self::reduce_by_identity).
    ///
    /// # Errors
    /// When a rank ended or a message is not right.
    pub fn reduce<V: Serialize + DeserializeOwned>(
        &mut self,
        value: V,
        fold: impl FnMut(V, V) -> V,
    ) -> Result<V, ShardError> {
        let all = self.collect(value)?;
        // There is at least the value of rank 0 there.
        let result = all.into_iter().reduce(fold);
        let result = self.broadcast(result)?;
        result.ok_or_else(|| ShardError::Transport("rank 0 sent no result".to_owned()))
    }

    /// Combines the items of all ranks by `fold`, in the order of their identities, and returns the result on all ranks.
    /// It is equal to the last bit on any number of ranks, also for sums of floats. Collective; the items are sent to
    /// rank 0.
    ///
    /// # Errors
    /// When two items have one identity, a rank ended, or a message is not right.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs_shards::{Channels, Identity, Shards};
    ///
    /// let sum_on = |ranks: usize| {
    ///     let sums = Channels::run(ranks, |channels| {
    ///         let mut shards = Shards::new(channels, &mut World::new())?;
    ///         let own = (0..1_000).filter(|at| at % ranks == shards.rank());
    ///         let items = own.map(|at| (Identity(at as u64), 1.0 / (at + 1) as f64)).collect();
    ///         shards.reduce_by_identity(items, 0.0, |sum, item| sum + item)
    ///     });
    ///     sums.unwrap()[0]
    /// };
    /// assert!(sum_on(1) == sum_on(2) && sum_on(1) == sum_on(3));
    /// ```
    pub fn reduce_by_identity<V, R>(
        &mut self,
        items: Vec<(Identity, V)>,
        start: R,
        fold: impl FnMut(R, V) -> R,
    ) -> Result<R, ShardError>
    where
        V: Serialize + DeserializeOwned,
        R: Serialize + DeserializeOwned,
    {
        let mut all: Vec<(Identity, V)> = self.collect(items)?.into_iter().flatten().collect();
        all.sort_by_key(|(identity, _)| *identity);
        let twice = all.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0);
        let result = match twice {
            Some(identity) => Err(identity),
            None => Ok(all.into_iter().map(|(_, value)| value).fold(start, fold)),
        };
        self.broadcast(result)?.map_err(ShardError::SameIdentity)
    }

    /// Returns the values of all ranks, in the order of the ranks, on all ranks. Collective.
    pub(crate) fn gather<V>(&mut self, value: V) -> Result<Vec<V>, ShardError>
    where
        V: Serialize + DeserializeOwned,
    {
        let all = self.collect(value)?;
        let all = self.broadcast(all)?;
        check_count(0, all.len(), self.ranks())?;
        Ok(all)
    }

    /// Returns the values of all ranks, in their order, on rank 0; on other ranks a part of them. Ranks form a binomial
    /// tree: each has the values of the ranks behind it when it sends them on.
    fn collect<V>(&mut self, value: V) -> Result<Vec<V>, ShardError>
    where
        V: Serialize + DeserializeOwned,
    {
        self.begin();
        let (rank, ranks) = (self.rank(), self.ranks());
        let mut all = vec![value];
        let mut step = 1;
        while step < ranks && rank & step == 0 {
            if rank + step < ranks {
                let (none, from): ([(usize, ()); 0], _) = ([], rank + step);
                let (received, _) = self.exchange::<_, Vec<V>>(Kind::Gather, &none, &[from])?;
                let before = all.len();
                all.extend(received.into_iter().flatten());
                check_count(from, all.len() - before, step.min(ranks - from))?;
            }
            step <<= 1;
        }
        if step < ranks {
            self.exchange::<_, ()>(Kind::Gather, &[(rank - step, &all)], &[])?;
        }
        Ok(all)
    }

    /// Returns the value of rank 0 on all ranks.
    fn broadcast<V>(&mut self, value: V) -> Result<V, ShardError>
    where
        V: Serialize + DeserializeOwned,
    {
        self.begin();
        let (rank, ranks) = (self.rank(), self.ranks());
        let (mut value, mut step) = (value, ranks.next_power_of_two());
        if rank > 0 {
            step = rank & rank.wrapping_neg(); // the lowest bit
            let none: [(usize, ()); 0] = [];
            let (received, _) = self.exchange(Kind::Gather, &none, &[rank - step])?;
            value = received.into_iter().next().unwrap_or(value);
        }
        while step > 1 {
            step >>= 1;
            if rank + step < ranks {
                self.exchange::<_, ()>(Kind::Gather, &[(rank + step, &value)], &[])?;
            }
        }
        Ok(value)
    }
}

/// Checks that a message from this rank has the values of as many ranks as it is to have.
fn check_count(from: usize, found: usize, expected: usize) -> Result<(), ShardError> {
    if found == expected {
        return Ok(());
    }
    let what = format!("it has the values of {found} ranks instead of {expected}");
    Err(ShardError::Malformed { from, what })
}

//! Scenes and workloads of the benches.

use ecs::NonSend;

fn main() {
    let handle = NonSend::new(vec![1]);
    let value = handle.get();
    std::thread::scope(|scope| {
        scope.spawn(|| value.len());
    });
}

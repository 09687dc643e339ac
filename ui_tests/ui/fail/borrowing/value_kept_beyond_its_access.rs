use ecs::NonSend;

fn main() {
    let handle = NonSend::new(vec![1]);
    let kept = handle.get();
    drop(handle);
    println!("{kept:?}");
}

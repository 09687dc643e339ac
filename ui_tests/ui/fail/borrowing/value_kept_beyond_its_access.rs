use ecs::NonSend;

fn main() {
    let handle = NonSend::new(vec![1]);
    let kept: &Vec<i32> = handle.with(|list| list);
    drop(handle);
    println!("{kept:?}");
}

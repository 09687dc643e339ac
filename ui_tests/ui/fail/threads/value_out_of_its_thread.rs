use ecs::NonSend;
use std::rc::Rc;

fn main() {
    let handle = NonSend::new(Rc::new(3));
    std::thread::spawn(move || handle.into_inner()).join().unwrap().unwrap();
}

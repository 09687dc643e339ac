// Names of each kind: words that derives emit, words of the language and its prelude, and keywords.
names! {
    [__0 __1 __bundle __given __handles __items __value __variant_0 __ID __SLOT __Place __map]
    [
        Item Terms Filter Requires NAME Storage Some None Self_ Option Component core std ecs str u8 a f self_ world
        r#type r#fn r#async r#gen
    ]
}

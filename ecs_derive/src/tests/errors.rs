//! Every message, and the tokens it points at.

use super::named;
use crate::errors::Errors;

/// Checks that `#[derive(..)]` of this name reports exactly these, as pairs of place and message.
#[track_caller]
fn check(derive: &str, input: &str, expected: &[(&str, &str)]) {
    let input = syn::parse_str(input).unwrap();
    let mut errors = Errors::default();
    let stub = named(derive)(&input, &mut errors);
    syn::parse2::<syn::File>(stub).expect("the stub is well formed");
    let errors = errors.into_vec();
    let reported: Vec<_> = errors
        .iter()
        .map(|error| (error.span().source_text().unwrap_or_default(), error.to_string()))
        .collect();
    let reported: Vec<_> = reported.iter().map(|(at, text)| (at.as_str(), text.as_str())).collect();
    assert_eq!(reported, expected);
}

mod attributes {
    use super::check;

    const BIT: &str = "`bit` takes an integer from 0 to 63, as in `#[component(bit = 5)]`";
    const KNOWN: &str = "known keys: `bit = 5`, `veto = path`, `on_insert = path`, \
        `on_update = path`, `on_remove = path`, `track`, `index`, `unique`, `relation`, `at_end = despawn`, `acyclic`, \
                         `clone`, `debug`, `default`, \
                         `save = \"name\"`, `instance = T::NAME`, `version = 2`, `from(1 = OldName)`, \
                         `bytes`, `requires(A, B = value)`, `needs(A, B)`, `excludes(A, B)`, `replaces(A, B)`, \
                         `range = 0.0..=1.0`, `unit = \"m\"`, \
                         `layout = \"soa\"`, `ref = Name`, `mut = Name`, `slices = Name`, \
                         `slices_mut = Name`, `fields = name`";
    const VETO: &str =
        "`veto` takes the path of a `fn(&mut Self) -> bool`, as in `#[component(veto = path)]`";

    #[test]
    fn bits_are_in_range() {
        check("Component", "#[component(bit = 63)] struct A;", &[]);
        check("Component", "#[component(bit = 64)] struct A;", &[("64", BIT)]);
        check("Component", "#[component(bit = 999)] struct A;", &[("999", BIT)]);
        check("Component", "#[component(bit = -1)] struct A;", &[("-1", BIT)]);
        check("Component", "#[component(bit = \"5\")] struct A;", &[("\"5\"", BIT)]);
    }

    #[test]
    fn keys_have_their_values_and_no_more() {
        check("Component", "#[component(bit)] struct A;", &[("bit", BIT)]);
        check("Component", "#[component(bit(5))] struct A;", &[("(", BIT)]);
        check("Component", "#[component(bit = 5 6)] struct A;", &[("6", BIT)]);
        check("Component", "#[component(veto = 5, bit = x)] struct A;", &[("5", VETO), ("x", BIT)]);
        check("Component", "#[component(veto = |x| true)] struct A;", &[("|", VETO)]);
    }

    #[test]
    fn versions_are_earlier_ones_and_named_once() {
        check(
            "Component",
            "#[component(save = \"a\", version = 3, from(1 = X as (Self, B), 2 = Y))] struct A;",
            &[],
        );
        let twice = "version 1 of `A` is named twice; name it once";
        let from = "#[component(save = \"a\", version = 3, from(1 = X, 1 = Y))] struct A;";
        check("Component", from, &[("1", twice)]);
        let late = "version 1 of `A` is not before its own, which is 1; `from` names earlier ones";
        check("Component", "#[component(save = \"a\", from(1 = X))] struct A;", &[("1", late)]);
        let from = "`from` takes earlier versions, each with the type that it had, as in \
                    `#[component(from(1 = OldName))]`";
        check("Component", "#[component(save = \"a\", from(0 = X))] struct A;", &[("0", from)]);
        check("Component", "#[component(save = \"a\", from(X))] struct A;", &[("X", from)]);
    }

    #[test]
    fn resources_are_saved_by_the_same_keys() {
        let right = "#[resource(save = \"a\", version = 3, from(1 = X, 2 = Y), clone)] struct A;";
        check("Resource", right, &[]);
        let late = "version 1 of `A` is not before its own, which is 1; `from` names earlier ones";
        check("Resource", "#[resource(save = \"a\", from(1 = X))] struct A;", &[("1", late)]);
        let several = "a resource is made of one old value, and other resources are not; leave `as (Self, Y)` out";
        let from = "#[resource(save = \"a\", version = 2, from(1 = X as (Self, Y)))] struct A;";
        check("Resource", from, &[("(Self, Y)", several)]);
        let alone = "`version` is for resources that are saved: write `save = \"name\"` beside it, or leave it out";
        check("Resource", "#[resource(version = 2)] struct A;", &[("2", alone)]);
        let generic = "all instances of `A` would be saved under one name; distinguish them, as in \
                       `instance = T::NAME`";
        check("Resource", "#[resource(save = \"a\")] struct A<T>(T);", &[("\"a\"", generic)]);
        let borrow = "resource `A` is read from files, so it owns its data; in place of `&'static str` store a \
                      `String`, a `Vec` or the like";
        check(
            "Resource",
            "#[resource(save = \"a\")] struct A(&'static str);",
            &[("&'static str", borrow)],
        );
        let alone = "`bytes` is for components that are saved: write `save = \"name\"` beside it, or leave it out";
        check("Component", "#[component(bytes)] struct A;", &[("A", alone)]);
    }

    #[test]
    fn marks_of_handles_have_no_other_words() {
        let right = "#[component(clone)] struct A(#[component(entities = ignore)] Entity, \
                     #[component(entities)] Vec<Entity>, Entity);";
        check("Component", right, &[]);
        check("Component", "#[component(clone, relation)] struct A(Entity);", &[]);
        check("Component", "#[component(clone)] enum A { B { of: Option<Entity> }, C }", &[]);
        let none = "`entities` is for handles, and there are none in a `u8`; leave it out";
        check("Component", "struct A(#[component(entities)] u8);", &[("u8", none)]);
        check("Resource", "struct A(#[resource(entities)] u8);", &[("u8", none)]);
        let word = "`entities` takes no value, or `ignore`, as in `#[resource(entities)]`";
        check("Resource", "struct A(#[resource(entities = keep)] Entity);", &[("keep", word)]);
        check("Resource", "struct A(#[resource(entities = ignore)] Entity);", &[]);
    }

    #[test]
    fn types_within_components_map_their_handles() {
        check("MapEntities", "struct A<T> { a: Vec<T>, #[entities(ignore)] b: Entity }", &[]);
        let misplaced = "`#[entities(ignore)]` belongs on a field";
        let on_type = "#[entities(ignore)] struct A(Entity);";
        check("MapEntities", on_type, &[("#[entities(ignore)]", misplaced)]);
        let on_variant = "enum A { #[entities(ignore)] B(Entity), C }";
        check("MapEntities", on_variant, &[("#[entities(ignore)]", misplaced)]);
        let key = "unknown key `skip` in `#[entities(..)]`; known keys: `ignore`";
        check("MapEntities", "struct A(#[entities(skip)] Entity);", &[("skip", key)]);
        let none = "`#[entities(..)]` needs a key; known keys: `ignore`";
        check("MapEntities", "struct A(#[entities] Entity);", &[("entities", none)]);
        let union = "handles in a union cannot be found; make it a struct or an enum";
        check("MapEntities", "union A { b: Entity }", &[("union", union)]);
        let lifetime = "types with handles own their data: remove the lifetime `'a`, and store owned values or an \
                        `Entity`";
        check("MapEntities", "struct A<'a>(&'a Entity);", &[("'a", lifetime)]);
    }

    #[test]
    fn what_stays_is_said_by_skip() {
        let right = "#[component(clone = skip, save = skip)] struct A;";
        check("Component", right, &[]);
        check("Resource", &right.replace("component", "resource"), &[]);
        let clone = "`clone` takes no value, or `skip` if copies are to be without it, as in `#[resource(clone)]`";
        check("Resource", "#[resource(clone = no)] struct A;", &[("no", clone)]);
        let save = "`save` takes a name in quotes, under which it is found in files, or `skip` if files are to be \
         without \
                    it, as in `#[resource(save = \"name\")]`";
        check("Resource", "#[resource(save = no)] struct A;", &[("no", save)]);
        let version = "`version` is for resources that are saved: write `save = \"name\"` beside it, or leave it out";
        check("Resource", "#[resource(save = skip, version = 2)] struct A;", &[("2", version)]);
    }

    #[test]
    fn requirements_are_components_with_values() {
        const REQUIRES: &str = "`requires` takes component types, each with or without a value, as \
                                in `#[component(requires(A, B = value))]`";
        let right = "#[component(requires(A, b::B<u8> = { f(Self::N)? }, C = |x| x,))] struct D;";
        check("Component", right, &[]);
        for (wrong, at) in [
            ("requires", "requires"),
            ("requires = A", "="),
            ("requires()", "()"),
            ("requires(&A)", "&A"),
            ("requires((A, B) = f())", "(A, B)"),
            ("requires(A: 5)", ":"),
            ("requires(A =)", ")"),
            ("requires(A B)", "B"),
        ] {
            check("Component", &format!("#[component({wrong})] struct D;"), &[(at, REQUIRES)]);
        }
        let itself = "component `D` requires itself; name the components that come with it";
        let mistakes = [("Self", itself), ("D", itself)];
        check("Component", "#[component(requires(Self, A, D = f()))] struct D;", &mistakes);
        let twice = "component `D` requires `A<u8>` twice; name it once";
        let input = "#[component(requires(A<u8>, A<u16>, A<u8> = f()))] struct D;";
        check("Component", input, &[("A<u8>", twice)]);
    }

    #[test]
    fn rules_are_about_other_components() {
        check(
            "Component",
            "#[component(needs(A), excludes(b::B<u8>), replaces(C, E))] struct D;",
            &[],
        );
        for key in ["needs", "excludes", "replaces"] {
            let usage = format!("`{key}` takes component types, as in `#[component({key}(A, B))]`");
            for (wrong, at) in
                [("", key), (" = A", "="), ("()", "()"), ("(&A)", "&A"), ("(A = 5)", "=")]
            {
                let input = format!("#[component({key}{wrong})] struct D;");
                check("Component", &input, &[(at, &usage)]);
            }
            let itself = format!("component `D` {key} itself; name other components");
            let input = format!("#[component({key}(Self, A, D))] struct D;");
            check("Component", &input, &[("Self", &itself), ("D", &itself)]);
        }
        let twice = "component `D` has two rules for `A<u8>`; leave one of them out";
        let input = "#[component(needs(A<u8>, A<u16>), excludes(A<u8>))] struct D;";
        check("Component", input, &[("A<u8>", twice)]);
    }

    #[test]
    fn relations_point_with_one_field() {
        let check = |item: &str, expected: &[(&str, &str)]| {
            check("Component", &format!("#[component(relation)] {item}"), expected);
        };
        check("struct A(Entity);", &[]);
        check("struct A { to: ecs::Entity, by: u32 }", &[]);
        check("struct A(#[component(target)] Entity, Entity);", &[]);
        check("struct A(#[component(target)] Alias);", &[]);
        let none =
            "relation `A` has no `Entity` to point to; give it one, as in `struct A(Entity);`";
        check("struct A;", &[("A", none)]);
        check("struct A(u32);", &[("A", none)]);
        let several = "relation `A` has several `Entity` fields; put `#[component(target)]` on the one \
                       that it points to";
        check("struct A(Entity, Entity);", &[("A", several)]);
        let twice = "relation `A` points to one entity; mark one field as its target";
        let both = "struct A(#[component(target)] Entity, #[component(target)] Entity);";
        check(both, &[("A", twice)]);
        let kind = "a relation is a struct that holds the `Entity` it points to; make `A` a struct";
        check("enum A { B(Entity) }", &[("A", kind)]);
        let generic = "a relation has no parameters, as each is one relation of its own; write a struct \
                       for each `A`";
        check("struct A<T>(Entity, T);", &[("T", generic)]);
        let whole = "relation `A` is stored whole; remove `layout = \"soa\"`";
        check("#[component(layout = \"soa\")] struct A { to: Entity }", &[("A", whole)]);
    }

    #[test]
    fn mistakes_in_keys_of_relations_are_reported() {
        check(
            "Component",
            "#[component(relation, at_end = remove, acyclic)] struct A(Entity);",
            &[],
        );
        let relation = "`relation` takes no value, or in parentheses `target = Component`, as in \
                        `#[component(relation)]`";
        check("Component", "#[component(relation(target = B))] struct A(Entity);", &[]);
        check("Component", "#[component(relation(target = B,))] struct A(Entity);", &[]);
        check("Component", "#[component(relation())] struct A(Entity);", &[(")", relation)]);
        check("Component", "#[component(relation(to = B))] struct A(Entity);", &[("to", relation)]);
        check(
            "Component",
            "#[component(relation(target = B, more))] struct A(Entity);",
            &[("more", relation)],
        );
        check(
            "Component",
            "#[component(relation(target = B))] struct A(EntityOf<B>);",
            &[(
                "B",
                "the `EntityOf` in relation `A` states the component of its targets; leave this out",
            )],
        );
        check("Component", "#[component(relation = 5)] struct A(Entity);", &[("=", relation)]);
        let at_end = "`at_end` takes `remove`, `despawn` or the path of a `fn(&mut World, Entity, \
                      Self)`, as in `#[component(at_end = despawn)]`";
        check(
            "Component",
            "#[component(relation, at_end)] struct A(Entity);",
            &[("at_end", at_end)],
        );
        let quoted = "#[component(relation, at_end = \"despawn\")] struct A(Entity);";
        check("Component", quoted, &[("\"despawn\"", at_end)]);
        let end = "`at_end = ..` is for relations: write `#[component(relation, at_end = ..)]`, or leave \
                   it out";
        check("Component", "#[component(at_end = despawn)] struct A(Entity);", &[("despawn", end)]);
        let acyclic = "`acyclic` is for relations: write `#[component(relation, acyclic)]`, or leave it \
                       out";
        check("Component", "#[component(acyclic)] struct A(Entity);", &[("A", acyclic)]);
        let target = "`target` is for relations: add `#[component(relation)]` on top";
        let marked = "struct A(#[component(target)] Entity);";
        check("Component", marked, &[("#[component(target)] Entity", target)]);
    }

    #[test]
    fn ranges_are_numbers_in_order_and_units_are_texts() {
        let check = |item: &str, expected: &[(&str, &str)]| check("Component", item, expected);
        check("struct A { #[component(range = -1.5..=2, unit = \"m\")] x: f32 }", &[]);
        check("struct A(#[component(range = 0..10_u8, entities)] Entities);", &[]);
        check("#[component(range = 0.0..)] struct A(f32);", &[]);
        check("#[component(unit = \"°\")] struct A { angle: f32 }", &[]);
        check("enum A { B { #[component(range = ..=-3)] x: i8 } }", &[]);
        let range = "`range` takes two ascending numbers, or one of them, with `..` or `..=`, \
                     as in `#[component(range = 0.0..=1.0)]`";
        for (text, at) in [
            ("..", ".."),
            ("1..=", "1..="),
            ("2..1", "2..1"),
            ("1..1", "1..1"),
            ("0..MAX", "MAX"),
            ("'a'..", "'a'"),
            ("5", "5"),
            ("0.0..=1.0 5", "5"),
        ] {
            let item = format!("struct A(#[component(range = {text})] f32);");
            check(&item, &[(at, range)]);
        }
        let unit = "`unit` takes a text of one line, as in `#[component(unit = \"m\")]`";
        check("struct A(#[component(unit = 5)] f32);", &[("5", unit)]);
        check("struct A(#[component(unit = \"\")] f32);", &[("\"\"", unit)]);
        check("struct A(#[component(unit = \"a\\nb\")] f32);", &[("\"a\\nb\"", unit)]);
    }

    #[test]
    fn ranges_on_a_type_are_for_its_only_field() {
        let check = |item: &str, expected: &[(&str, &str)]| check("Component", item, expected);
        let several = "`range` and `unit` on a type are for its only field, and `A` has 2; put them on a field";
        check("#[component(range = 0..1)] struct A(f32, f32);", &[("0..1", several)]);
        let none = "`range` and `unit` on a type are for its only field, and `A` has 0; put them on a field";
        check("#[component(unit = \"m\")] struct A;", &[("\"m\"", none)]);
        let variants = "`range` and `unit` on a type are for the only field of a struct, and `A` is none; put them \
                        on a field";
        check("#[component(range = 0..1)] enum A { B(f32) }", &[("0..1", variants)]);
        let twice = "the field of `A` has the same key; give it once";
        let both = "#[component(unit = \"m\")] struct A(#[component(unit = \"s\")] f32);";
        check(both, &[("\"m\"", twice)]);
        check("#[component(unit = \"m\")] struct A(#[component(range = 0..)] f32);", &[]);
    }

    #[test]
    fn unknown_keys_are_refused() {
        let known = KNOWN;
        let unknown = format!("unknown key `bits` in `#[component(..)]`; {known}");
        check("Component", "#[component(bits = 5)] struct A;", &[("bits", &unknown)]);
        let no_key = format!("expected a key; {known}");
        check("Component", "#[component(5)] struct A;", &[("5", &no_key)]);
        let empty = format!("`#[component(..)]` needs a key; {known}");
        check("Component", "#[component] struct A;", &[("component", &empty)]);
        check("Component", "#[component()] struct A;", &[("component()", &empty)]);
        check("Component", "#[component = 5] struct A;", &[("component = 5", &empty)]);
    }

    #[test]
    fn an_index_has_one_key_of_a_known_type() {
        let usage = "`index` takes no value, or in parentheses `ordered` or `kind = Type`, and `by = field` or \
                     `by = path, key = Type`, as in `#[component(index)]`";
        for (wrong, at) in [
            ("index = 5", "="),
            ("index(sorted)", "sorted"),
            ("index(ordered, ordered)", "ordered"),
            ("index(by)", ")"),
            ("index(ordered by = 0)", "by"),
        ] {
            check("Component", &format!("#[component({wrong})] struct D(u8);"), &[(at, usage)]);
        }
        for right in [
            "index",
            "index()",
            "index(by = 0)",
            "index(by = f, key = u8)",
            "index(kind = K, by = f)",
        ] {
            check("Component", &format!("#[component({right})] struct D(u8);"), &[]);
        }
        let function = "`by` names a function: name the type that it returns, too, as in `by = path, key = u32`; or \
                        name a field";
        let by_function = "#[component(index(by = D::f))] struct D(u8);";
        check("Component", by_function, &[("D::f", function)]);
        check("Component", "#[component(index(by = 1))] struct D(u8);", &[("1", function)]);
        check("Component", "#[component(index(by = a))] enum D { A }", &[("a", function)]);
        let key =
            "`key` is the type that a function returns, as in `by = path, key = u32`; leave it out";
        let of_field = "#[component(index(by = 0, key = u8))] struct D(u8);";
        check("Component", of_field, &[("u8", key)]);
        let kinds = "`ordered` and `kind = ..` are two kinds of index; keep one";
        let both = "#[component(index(ordered, kind = K))] struct D(u8);";
        check("Component", both, &[("K", kinds)]);
        let columns =
            "`D` is stored in columns, so its index needs a part of it: `index(by = field)`";
        let whole = "#[component(index, layout = \"soa\")] struct D { a: u8 }";
        check("Component", whole, &[("D", columns)]);
        let veto = "the veto of `D` could change it unseen by its index; store it whole, or leave out `veto`";
        let with_veto =
            "#[component(index(by = a), veto = f, layout = \"soa\")] struct D { a: u8 }";
        check("Component", with_veto, &[("f", veto)]);
        let relation = "relation `D` needs no `index`: `World::related` returns the entities that point to one";
        check("Component", "#[component(relation, index)] struct D(Entity);", &[("D", relation)]);
        let generic = "an indexed component has no parameters, as each type has an index of its own; write a struct \
                       for each `D`";
        check("Component", "#[component(index)] struct D<T>(T);", &[("T", generic)]);
    }

    #[test]
    fn a_unique_component_has_one_key() {
        let usage = "`unique` takes no value, or in parentheses `by = field` or `by = path, key = Type`, as in \
                     `#[component(unique)]`";
        for (wrong, at) in [("unique = 5", "="), ("unique(sorted)", "sorted")] {
            check("Component", &format!("#[component({wrong})] struct D(u8);"), &[(at, usage)]);
        }
        for right in ["unique", "unique(by = 0)", "unique(by = f, key = u8)"] {
            check("Component", &format!("#[component({right})] struct D(u8);"), &[]);
        }
        let both = "`unique` is an index; remove `index` from `D`";
        check("Component", "#[component(unique, index)] struct D(u8);", &[("D", both)]);
        let whole = "unique component `D` is stored whole; remove `layout = \"soa\"`";
        let columns = "#[component(unique(by = a), layout = \"soa\")] struct D { a: u8 }";
        check("Component", columns, &[("D", whole)]);
    }

    #[test]
    fn a_flag_has_no_value() {
        let flag = "`track` takes no value, as in `#[component(track)]`";
        for (wrong, at) in [("track = true", "="), ("track(A)", "("), ("track 5", "5")] {
            check("Component", &format!("#[component({wrong})] struct D;"), &[(at, flag)]);
        }
    }

    #[test]
    fn keys_are_given_once() {
        let duplicate = "duplicate key `bit` in `#[component(..)]`; give it once";
        check("Component", "#[component(bit = 1, bit = 2)] struct A;", &[("bit", duplicate)]);
        check(
            "Component",
            "#[component(bit = 1)] #[component(bit = 1)] struct A;",
            &[("bit", duplicate)],
        );
        check("Component", "#[component(bit = 1)] #[component(veto = f)] struct A;", &[]);
    }

    #[test]
    fn all_mistakes_are_reported() {
        let unknown = &format!("unknown key `x` in `#[component(..)]`; {KNOWN}");
        check(
            "Component",
            "#[component(x(1, 2), bit = 64, veto = 1,)] struct A;",
            &[("x", unknown), ("64", BIT), ("1", VETO)],
        );
    }

    #[test]
    fn attributes_stand_on_the_type() {
        let field = "`#[component(bit = 1)]` belongs on the type, not on a field";
        let variant = "`#[component(bit = 1)]` belongs on the type, not on a variant";
        let at = "#[component(bit = 1)]";
        check("Component", "struct A(#[component(bit = 1)] u8);", &[(at, field)]);
        check("Component", "enum A { #[component(bit = 1)] B }", &[(at, variant)]);
        check("Component", "enum A { B { #[component(bit = 1)] c: u8 } }", &[(at, field)]);
        let query = "`#[query(with(A))]` belongs on the type, not on a field";
        check("Query", "struct Q<'w>(#[query(with(A))] &'w B);", &[("#[query(with(A))]", query)]);
        let ecs = "`#[ecs(crate = ecs)]` belongs on the type, not on a field";
        check("Bundle", "struct B(#[ecs(crate = ecs)] C);", &[("#[ecs(crate = ecs)]", ecs)]);
    }

    #[test]
    fn unknown_layouts_and_invalid_names_are_refused() {
        let layout = "`layout` takes the string \"soa\", as in `#[component(layout = \"soa\")]`";
        check("Component", "#[component(layout = \"aos\")] struct A;", &[("\"aos\"", layout)]);
        check("Component", "#[component(layout = soa)] struct A;", &[("soa", layout)]);
        check("Component", "#[component(layout)] struct A;", &[("layout", layout)]);
        let name = "`ref` takes a name for the references to its fields, as in \
                    `#[component(ref = Name)]`";
        let soa = "#[component(layout = \"soa\", ref = a::B)] struct A { b: u8 }";
        check("Component", soa, &[(":", name)]);
        let alone = "`mut` names a part of `layout = \"soa\"`; add that, or remove this";
        check("Component", "#[component(mut = B)] struct A { b: u8 }", &[("B", alone)]);
    }

    #[test]
    fn columns_are_named_on_fields() {
        let takes = "`column` takes the path of a column, as in \
                     `#[query(column = proximity::distance)]`";
        check("Query", "struct Q<'w> { #[query(column = 5)] a: &'w f32 }", &[("5", takes)]);
        check("Query", "struct Q<'w> { #[query(column)] a: &'w f32 }", &[("column", takes)]);
        let borrow = "`column = p::a` makes the field a borrow of one column: write its type as \
                      `&'w T`, `&'w mut T` or an `Option` of these";
        let owned = "struct Q<'w> { #[query(column = p::a)] a: f32, b: &'w B }";
        check("Query", owned, &[("f32", borrow)]);
        let twice = "duplicate key `column` in `#[query(..)]`; give it once";
        let text = "struct Q<'w> { #[query(column = p::a, column = p::a)] a: &'w f32 }";
        check("Query", text, &[("column", twice)]);
        let unknown = "unknown key `with` in `#[query(..)]`; known keys: `column = \
                       proximity::distance`";
        let text = "struct Q<'w> { #[query(column = p::a, with(A))] a: &'w f32 }";
        check("Query", text, &[("with", unknown)]);
    }

    #[test]
    fn the_crate_is_a_path() {
        let value = "`crate` takes the path of the library, as in `#[ecs(crate = path)]`";
        check("Bundle", "#[ecs(crate = \"ecs\")] struct B(C);", &[("\"ecs\"", value)]);
        let unknown = "unknown key `krate` in `#[ecs(..)]`; known keys: `crate = path`, `unlisted`";
        check("Query", "#[ecs(krate = ecs)] struct Q<'w>(&'w C);", &[("krate", unknown)]);
    }

    #[test]
    fn filters_name_components() {
        let with = "`with` takes component types, as in `#[query(with(A, B))]`";
        let without = "`without` takes component types, as in `#[query(without(A, B))]`";
        check("Query", "#[query(with())] struct Q<'w>(&'w C);", &[("()", with)]);
        check("Query", "#[query(with = A)] struct Q<'w>(&'w C);", &[("=", with)]);
        check("Query", "#[query(with(&A))] struct Q<'w>(&'w C);", &[("&A", with)]);
        check("Query", "#[query(without((A, B)))] struct Q<'w>(&'w C);", &[("(A, B)", without)]);
        let unknown = "unknown key `has` in `#[query(..)]`; known keys: `with(A, B)`, \
                       `without(A, B)`";
        check("Query", "#[query(has(A))] struct Q<'w>(&'w C);", &[("has", unknown)]);
    }
}

mod shapes {
    use super::check;

    #[test]
    fn columns_are_of_named_fields() {
        let message =
            |advice| format!("layout \"soa\" of `A` is a column for each named field: {advice}");
        let soa = |item: &str| format!("#[component(layout = \"soa\")] {item}");
        let none = message("it has none; remove the layout");
        check("Component", &soa("struct A;"), &[("A", &none)]);
        check("Component", &soa("struct A {}"), &[("A", &none)]);
        check("Component", &soa("struct A(u8);"), &[("A", &message("give its fields names"))]);
        let in_enum = message("an enum has none; put it in a field of a struct");
        check("Component", &soa("enum A { B { c: u8 } }"), &[("A", &in_enum)]);
        let union = "a component is a struct or an enum; put the union in a struct";
        check("Component", &soa("union A { b: u8 }"), &[("union", union)]);
        let packed = "layout \"soa\" of `A` stores its fields apart: `repr(packed)` says nothing \
                      then; remove one of them";
        check(
            "Component",
            &soa("#[repr(C, packed(2))] struct A { b: u8 }"),
            &[("packed(2)", packed)],
        );
        check("Component", &soa("#[repr(C, align(8))] struct A { b: u8 }"), &[]);
    }

    #[test]
    fn columns_are_borrowed_once() {
        let message = "query `Q`: field `b` writes `p::a`, which field `a` reads";
        check(
            "Query",
            "struct Q<'w> { #[query(column = p::a)] a: &'w f32, #[query(column = p::a)] b: &'w mut f32 }",
            &[("&'w mut f32", message)],
        );
        check(
            "Query",
            "struct Q<'w> { #[query(column = p::a)] a: &'w mut f32, #[query(column = p::b)] b: &'w mut f32 }",
            &[],
        );
    }

    #[test]
    fn components_own_their_data() {
        let message = "components own their data: remove the lifetime `'a`, and store owned values \
                       or an `Entity`";
        check("Component", "struct A<'a, T>(&'a T);", &[("'a", message)]);
        check("Component", "struct A<'a: 'static>(&'a u8);", &[("'a: 'static", message)]);
        let message = "bundles own their data: remove the lifetime `'a`, and store owned values or \
                       an `Entity`";
        check("Bundle", "struct A<'a>(B<'a>);", &[("'a", message)]);
    }

    #[test]
    fn components_are_structs_or_enums() {
        let message = "a component is a struct or an enum; put the union in a struct";
        check("Component", "union A { b: u8 }", &[("union", message)]);
    }

    #[test]
    fn bundles_are_structs() {
        let message = "a bundle is a struct with a field per component; make `A` a struct";
        check("Bundle", "enum A { B }", &[("enum", message)]);
        check("Bundle", "union A { b: u8 }", &[("union", message)]);
    }

    #[test]
    fn queries_are_structs_or_enums_with_fields() {
        let message = "a query is a struct with a field per component; make `type` a struct";
        check("Query", "union r#type { b: u8 }", &[("union", message)]);
        let message =
            "query `A` has no fields; give it one per component, as in `position: &'w Position`";
        check("Query", "struct A;", &[("A", message)]);
        check("Query", "struct A<'w> {}", &[("A", message)]);
        let message = "query `A` asks for no component; give it a variant for each alternative, as in \
                       `Standing(&'w Position)`";
        check("Query", "enum A {}", &[("A", message)]);
        check("Query", "enum A { B, C() }", &[("A", message), ("C", UNREACHED)]);
        check("Query", "enum A<'w> { B(&'w u8), C {} }", &[]);
    }

    const UNREACHED: &str = "query `A`: variant `C` is never reached, as `B` has no fields and matches \
                             every entity; move `B` to the end";

    #[test]
    fn variants_of_a_query_are_reached() {
        check("Query", "enum A<'w> { B, C(&'w u8) }", &[("C", UNREACHED)]);
        check("Query", "enum A<'w> { D(&'w u8), B, C(&'w u8), E }", &[("C", UNREACHED)]);
    }
}

mod lifetimes {
    use super::check;

    #[test]
    fn there_is_one() {
        let message = "query `Q`: a query has one lifetime; remove `'b` and use `'a` throughout";
        check("Query", "struct Q<'a, 'b: 'a>(&'a A, &'b B);", &[("'b", message)]);
    }

    #[test]
    fn bounds_do_not_name_it() {
        let message = "query `Q`: a bound cannot name the query's lifetime; remove it, type \
                       parameters are `'static` already";
        check("Query", "struct Q<'w: 'static>(&'w A);", &[("'static", message)]);
        check("Query", "struct Q<'w, T: Clone + 'w>(&'w T);", &[("'w", message)]);
        check("Query", "struct Q<'w, T>(&'w T) where T: A<'w>;", &[("T: A<'w>", message)]);
        check("Query", "struct Q<'w, T: 'static>(&'w T) where for<'a> &'a T: A<'a>;", &[]);
    }

    #[test]
    fn fields_do_not_leave_it_out() {
        let field = |own| format!("query `Q`: field `a` needs a lifetime; write {own}");
        let declare = field("`&'w mut Position` and `struct Q<'w>`");
        check("Query", "struct Q { a: &mut Position }", &[("&mut Position", &declare)]);
        let generic = field("`&'w T` and `struct Q<'w, ..>`");
        check("Query", "struct Q<T> { a: Option<&T> }", &[("&T", &generic)]);
        let own = field("`&'a Position`");
        check("Query", "struct Q<'a> { a: (Entity, &Position) }", &[("&Position", &own)]);
        check("Query", "struct Q<'a> { a: &'_ Position }", &[("'_", &own)]);
        let nested = field("`inner::Q<'a, T>`");
        check("Query", "struct Q<'a, T> { a: inner::Q<'_, T> }", &[("'_", &nested)]);
        let no_own = field("`&'w A` and `struct Q<'w>`");
        check("Query", "struct Q { a: &'static A }", &[("'static", &no_own)]);
    }

    #[test]
    fn fields_use_no_other() {
        let message = "query `Q`: field `0` borrows for `'static`; use the query's own lifetime \
                       `'w`";
        check("Query", "struct Q<'w>(&'static A, &'w B);", &[("'static", message)]);
        check("Query", "struct Q<'w>(Inner<'static>, &'w B);", &[("'static", message)]);
        check("Query", "struct Q<'w>(&'w A<&'static str>, Has<A<&'static str>>);", &[]);
    }
}

mod views {
    use super::check;

    #[test]
    fn views_are_structs_with_fields() {
        let message = "a set of views is a struct with a field per view; make `V` a struct";
        check("Views", "enum V<'w> { A(&'w u8) }", &[("enum", message)]);
        let message = "views `V` has no fields; give it one per view, as in `movers: View<'w, (&'w \
                       mut Position, &'w Velocity)>`";
        check("Views", "struct V<'w>;", &[("V", message)]);
        let fields = "View<'w, A>,".repeat(13);
        let message = "views `V` has more than 12 fields; put some into a struct of their own, which is a field";
        check("Views", &format!("struct V<'w>({fields});"), &[("V", message)]);
    }

    #[test]
    fn views_have_one_lifetime() {
        let message = "views `V` borrow the world; write `struct V<'w>` and `View<'w, ..>`";
        check("Views", "struct V(View<'static, A>);", &[("V", message)]);
        let message = "views `V`: a set of views has one lifetime; remove `'b` and use `'a` \
                       throughout";
        check("Views", "struct V<'a, 'b>(View<'a, A>, View<'b, B>);", &[("'b", message)]);
        let message = "views `V`: a bound cannot name the views' lifetime; remove it, type \
                       parameters are `'static` already";
        check("Views", "struct V<'w, T: A<'w>>(View<'w, T>);", &[("A<'w>", message)]);
    }

    #[test]
    fn views_borrow_for_no_other() {
        let message =
            "views `V`: field `0` borrows for `'static`; use the views' own lifetime `'w`";
        check("Views", "struct V<'w>(View<'static, A>, View<'w, B>);", &[("'static", message)]);
        let message = "views `V`: field `a` needs a lifetime; write `View<'w, (&'w mut A, B)>`";
        check("Views", "struct V<'w> { a: View<'_, (&'w mut A, B)> }", &[("'_", message)]);
        check("Views", "struct V<'w> { a: View<'w, (&'static mut A, Inner<'static>)> }", &[]);
    }

    #[test]
    fn one_mistake_is_one_error() {
        let message = "a set of views is a struct with a field per view; make `V` a struct";
        check("Views", "enum V { A }", &[("enum", message)]);
        check("Views", "union V<'a, 'b> { a: &'a u8, b: &'b u8 }", &[("union", message)]);
    }
}

mod aliasing {
    use super::check;

    #[test]
    fn a_query_does_not_borrow_twice_to_write() {
        check(
            "Query",
            "struct Steer<'w> { a: &'w mut Position, b: &'w Position }",
            &[(
                "&'w Position",
                "query `Steer`: field `b` reads `Position`, which field `a` writes",
            )],
        );
        check(
            "Query",
            "struct Steer<'w> { a: (Entity, &'w Grid<u8, 4>), b: Option<(&'w mut Grid <u8,4>)> }",
            &[(
                "&'w mut Grid <u8,4>",
                "query `Steer`: field `b` writes `Grid<u8, 4>`, which field `a` reads",
            )],
        );
    }

    #[test]
    fn every_second_field_is_reported() {
        let second =
            |field| format!("query `Q`: field `{field}` writes `A`, which field `0` also writes");
        check(
            "Query",
            "struct Q<'w>(&'w mut A, &'w mut A, &'w B, &'w mut A);",
            &[("&'w mut A", &second(1)), ("&'w mut A", &second(3))],
        );
    }

    #[test]
    fn nor_within_one_field() {
        let message = "query `Q`: field `a` borrows `A` twice, once to write";
        check("Query", "struct Q<'w> { a: (&'w A, &'w mut A) }", &[("&'w mut A", message)]);
    }

    #[test]
    fn reading_twice_is_fine() {
        check("Query", "struct Q<'w>(&'w A, Option<&'w A>, Has<A>, &'w mut B);", &[]);
    }

    #[test]
    fn a_bundle_has_a_component_once() {
        let message = |field| {
            format!(
                "bundle `Hero`: fields `a` and `{field}` both hold `Health`; an entity holds a \
                 component once"
            )
        };
        check(
            "Bundle",
            "struct Hero { a: Health, b: Position, c: Health, d: Health }",
            &[("Health", &message("c")), ("Health", &message("d"))],
        );
    }
}

mod schedules {
    use crate::errors::Errors;
    use crate::schedule::{Schedule, expand};

    /// The messages about a `schedule!`, each with the token that it begins at.
    fn told(input: &str) -> Vec<(String, String)> {
        let schedule: Schedule = syn::parse_str(input).unwrap();
        let mut errors = Errors::default();
        let emitted = expand(schedule, &mut errors);
        syn::parse2::<syn::File>(emitted).expect("what is emitted is well formed");
        let told = errors.into_vec().into_iter();
        told.map(|error| (error.span().source_text().unwrap_or_default(), error.to_string()))
            .collect()
    }

    #[test]
    fn right_lines() {
        let lines = "a, b::c::<5, D>, <E as F>::g, together(h, i if j,), k if l::m, n: o::P, r: S<T> if u::v, sync, \
                     self::sync, together, /** doc */ q";
        assert_eq!(told(&format!("pub(crate) struct A {{ {lines} }}")), []);
        assert_eq!(told("struct A {}"), []);
    }

    #[test]
    fn every_wrong_line_is_reported() {
        const PATH: &str = "write the path of a function, as in `steer`, `heal::<Player>` or \
                            `steer if is_running`; `Schedule::add` takes closures";
        const LINE: &str = "a line of a schedule is `system`, `system if condition`, `together(a, b)`, \
                            `name: Schedule`, `name: Schedule if condition` or `sync`";
        const MEMBER: &str = "only systems stand in `together`: list a schedule beside it";
        let wrong = "5, p: Q if 3, a b, together(c, d: E), together(f) if g, #[cfg(h)] i, j if |k| true, ok";
        let told = told(&format!("struct A {{ {wrong} }}"));
        let told: Vec<_> = told.iter().map(|(at, text)| (at.as_str(), text.as_str())).collect();
        let attribute = ("#[cfg(h)]", "a line of a schedule has no attributes");
        let expected = [
            ("5", PATH),
            ("3", PATH),
            ("b", LINE),
            (":", MEMBER),
            ("if", LINE),
            attribute,
            ("|", PATH),
        ];
        assert_eq!(told, expected);
    }
}

//! The attributes and their keys. A new key is a field here and a row in its attribute's table.

use crate::errors::Errors;
use crate::field_type::bare;
use crate::library;
use crate::spell::spell;
use crate::table::{Key, Table, is_end};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprPath, Field, Ident, Lit, LitInt, LitStr, Path, Token,
    Type, TypePath, parenthesized,
};

/// `#[component(..)]`
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "keys without a value")]
pub struct ComponentAttr {
    /// The pinned signature bit, at most [`LAST_BIT`].
    pub bit: Option<u8>,
    pub veto: Option<ExprPath>,
    pub on_insert: Option<ExprPath>,
    pub on_update: Option<ExprPath>,
    pub on_remove: Option<ExprPath>,
    /// `true` if its changes can be read.
    pub track: bool,
    /// Its index, if it has one.
    pub index: Option<IndexAttr>,
    /// Its index, if it has one by which its values are unique.
    pub unique: Option<IndexAttr>,
    /// `true` if it is a relation.
    pub relation: bool,
    /// The component that the targets of the relation have.
    pub of_targets: Option<Type>,
    /// The path after `at_end =`: it decides about the sources of a target that ends.
    pub at_end: Option<ExprPath>,
    /// `true` if the relation refuses circles.
    pub acyclic: bool,
    pub copying: CopyAttr,
    /// `debug` and `default`: values are printed, and inserted by default, where the type is not named.
    pub debug: bool,
    pub default: bool,
    /// The attributes of saving.
    pub saving: SaveAttr,
    /// The components that come with it.
    pub requires: Vec<Requirement>,
    /// The rules between it and other components.
    pub rules: RulesAttr,
    /// The range and the unit of the only field.
    pub numbers: NumbersAttr,
    /// `true` if it is stored in columns; then the names of the types that are emitted beside it.
    pub soa: bool,
    pub reference: Option<Ident>,
    pub reference_mut: Option<Ident>,
    pub slices: Option<Ident>,
    pub slices_mut: Option<Ident>,
    pub fields: Option<Ident>,
}

/// `index`, or `index(ordered, by = field)`
#[derive(Default)]
pub struct IndexAttr {
    pub is_ordered: bool,
    /// A kind of index that is not the library's.
    pub kind: Option<Type>,
    /// The field or function that gives the key, instead of the whole value.
    pub by: Option<Expr>,
    /// The type of the key.
    pub key: Option<Type>,
}

/// `Health = full()`, or only `Health`
pub struct Requirement {
    pub ty: Type,
    pub value: Option<Expr>,
}

/// The attributes `needs`, `excludes` and `replaces`.
#[derive(Default)]
pub struct RulesAttr {
    pub needs: Vec<Type>,
    pub excludes: Vec<Type>,
    pub replaces: Vec<Type>,
    /// The component of the targets, if the component is a relation that states it.
    pub points_to: Option<Type>,
}

/// The attribute `clone`.
#[derive(Default)]
pub struct CopyAttr {
    /// `true` if its values may be copied.
    pub is_copied: bool,
    /// `true` if copies are without it.
    pub is_skipped: bool,
}

/// The attribute `save` and its keys.
#[derive(Default)]
pub struct SaveAttr {
    /// The name in files.
    pub name: Option<LitStr>,
    /// `true` if saves are without it.
    pub is_skipped: bool,
    /// An expression that distinguishes the instances of a generic type.
    pub instance: Option<Expr>,
    pub version: Option<LitInt>,
    /// The types of earlier versions.
    pub from: Vec<OldVersion>,
    /// `true` if it is saved as the bytes that it has in memory.
    pub bytes: bool,
}

/// An attribute of a type that may be copied and saved.
trait Saves {
    fn copying(&mut self) -> &mut CopyAttr;
    fn saving(&mut self) -> &mut SaveAttr;
}

impl Saves for ComponentAttr {
    fn copying(&mut self) -> &mut CopyAttr {
        &mut self.copying
    }
    fn saving(&mut self) -> &mut SaveAttr {
        &mut self.saving
    }
}

impl Saves for ResourceAttr {
    fn copying(&mut self) -> &mut CopyAttr {
        &mut self.copying
    }
    fn saving(&mut self) -> &mut SaveAttr {
        &mut self.saving
    }
}

/// `1 = TargetV1`, or `1 = TargetV1 as (Self, Shield)`
pub struct OldVersion {
    pub version: LitInt,
    pub ty: Type,
    /// The components that are made of an old value, if they are several: the component itself first.
    pub several: Option<Type>,
}

/// `#[query(..)]`
#[derive(Default)]
pub struct QueryAttr {
    pub with: Vec<Type>,
    pub without: Vec<Type>,
}

/// `#[query(..)]` on a field
#[derive(Default)]
pub struct ColumnAttr {
    /// The column that the field borrows.
    pub column: Option<TypePath>,
}

/// `#[component(..)]` on a field
#[derive(Default)]
pub struct FieldAttr {
    /// `true` if the field has the target of a relation.
    pub target: bool,
    /// The attribute for handles of entities in the field, if there is one.
    pub entities: Option<Entities>,
    pub numbers: NumbersAttr,
}

/// The attributes `range` and `unit`, for tools.
#[derive(Default)]
pub struct NumbersAttr {
    pub range: Option<NumberRange>,
    pub unit: Option<LitStr>,
}

/// `0.0..=1.0`, where one number may be missing
pub struct NumberRange {
    /// The text, without the types and underscores of the numbers.
    pub text: String,
    pub tokens: TokenStream,
}

impl Parse for NumberRange {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut tokens = TokenStream::new();
        let from = number(input, &mut tokens)?;
        if !input.peek(Token![..]) {
            return Err(if tokens.is_empty() { input.error("refused") } else { refused(&tokens) });
        }
        let is_closed = input.peek(Token![..=]);
        if is_closed {
            input.parse::<Token![..=]>()?.to_tokens(&mut tokens);
        } else {
            input.parse::<Token![..]>()?.to_tokens(&mut tokens);
        }
        let to = number(input, &mut tokens)?;
        let value = |end: &Option<String>| end.as_ref()?.parse::<f64>().ok();
        let is_wrong = match (value(&from), value(&to)) {
            (None, None) => true,
            (Some(from), Some(to)) => from >= to,
            (_, None) => is_closed,
            (None, _) => false,
        };
        if is_wrong {
            return Err(refused(&tokens));
        }
        let sign = if is_closed { "..=" } else { ".." };
        let text = [from.as_deref().unwrap_or_default(), sign, to.as_deref().unwrap_or_default()];
        Ok(Self { text: text.concat(), tokens })
    }
}

impl ToTokens for NumberRange {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}

/// Reads a number, if there is one. Returns its digits behind its sign.
fn number(input: ParseStream, tokens: &mut TokenStream) -> syn::Result<Option<String>> {
    if is_end(input) || input.peek(Token![..]) {
        return Ok(None);
    }
    let sign = input.parse::<Option<Token![-]>>()?;
    let literal: Lit = input.parse()?;
    sign.to_tokens(tokens);
    literal.to_tokens(tokens);
    let digits = match &literal {
        Lit::Int(it) => it.base10_digits(),
        Lit::Float(it) => it.base10_digits(),
        _ => return Err(refused(&literal)),
    };
    Ok(Some(format!("{}{digits}", if sign.is_some() { "-" } else { "" })))
}

/// An attribute that may stand on a field, and on a type with one field.
trait HasNumbers {
    fn numbers(&mut self) -> &mut NumbersAttr;
}

impl HasNumbers for ComponentAttr {
    fn numbers(&mut self) -> &mut NumbersAttr {
        &mut self.numbers
    }
}

impl HasNumbers for FieldAttr {
    fn numbers(&mut self) -> &mut NumbersAttr {
        &mut self.numbers
    }
}

/// The treatment of handles in a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Entities {
    /// Others take their places.
    Map,
    /// They stay as they are.
    Ignore,
}

/// `#[resource(..)]`
#[derive(Default)]
pub struct ResourceAttr {
    pub copying: CopyAttr,
    /// The attributes of saving.
    pub saving: SaveAttr,
}

/// `#[ecs(..)]`
#[derive(Default)]
struct EcsAttr {
    krate: Option<Path>,
    is_unlisted: bool,
}

/// A signature has 64 bits.
const LAST_BIT: u8 = 63;

const COMPONENT: Table<ComponentAttr> = Table {
    attribute: "component",
    on_fields: &["target", "entities", "range", "unit"],
    keys: &[
        Key {
            name: "bit",
            takes: "an integer from 0 to 63",
            usage: "bit = 5",
            read: |attr, input| {
                attr.bit = Some(bit(&value(input)?)?);
                Ok(())
            },
        },
        Key {
            name: "veto",
            takes: "the path of a `fn(&mut Self) -> bool`",
            usage: "veto = path",
            read: |attr, input| {
                attr.veto = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "on_insert",
            takes: "the path of a `fn(&mut World, Entity)`",
            usage: "on_insert = path",
            read: |attr, input| {
                attr.on_insert = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "on_update",
            takes: "the path of a `fn(&mut World, Entity)`",
            usage: "on_update = path",
            read: |attr, input| {
                attr.on_update = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "on_remove",
            takes: "the path of a `fn(&mut World, Entity)`",
            usage: "on_remove = path",
            read: |attr, input| {
                attr.on_remove = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "track",
            takes: "no value",
            usage: "track",
            read: |attr, _| {
                attr.track = true;
                Ok(())
            },
        },
        Key {
            name: "index",
            takes: "no value, or in parentheses `ordered` or `kind = Type`, and `by = field` or `by = path, key = Type`",
            usage: "index",
            read: |attr, input| {
                attr.index =
                    Some(if is_end(input) { IndexAttr::default() } else { input.parse()? });
                Ok(())
            },
        },
        Key {
            name: "unique",
            takes: "no value, or in parentheses `by = field` or `by = path, key = Type`",
            usage: "unique",
            read: |attr, input| {
                let index = if is_end(input) { IndexAttr::default() } else { input.parse()? };
                if index.is_ordered || index.kind.is_some() {
                    return Err(syn::Error::new(input.span(), "refused"));
                }
                attr.unique = Some(index);
                Ok(())
            },
        },
        Key {
            name: "relation",
            takes: "no value, or in parentheses `target = Component`",
            usage: "relation",
            read: |attr, input| {
                attr.relation = true;
                if !is_end(input) {
                    attr.of_targets = Some(input.parse::<RelationTarget>()?.0);
                }
                Ok(())
            },
        },
        Key {
            name: "at_end",
            takes: "`remove`, `despawn` or the path of a `fn(&mut World, Entity, Self)`",
            usage: "at_end = despawn",
            read: |attr, input| {
                attr.at_end = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "acyclic",
            takes: "no value",
            usage: "acyclic",
            read: |attr, _| {
                attr.acyclic = true;
                Ok(())
            },
        },
        clone(),
        Key {
            name: "debug",
            takes: "no value",
            usage: "debug",
            read: |attr, _| {
                attr.debug = true;
                Ok(())
            },
        },
        Key {
            name: "default",
            takes: "no value",
            usage: "default",
            read: |attr, _| {
                attr.default = true;
                Ok(())
            },
        },
        save(),
        instance(),
        version(),
        from(),
        Key {
            name: "bytes",
            takes: "no value",
            usage: "bytes",
            read: |attr, _| {
                attr.saving.bytes = true;
                Ok(())
            },
        },
        Key {
            name: "requires",
            takes: "component types, each with or without a value",
            usage: "requires(A, B = value)",
            read: |attr, input| {
                attr.requires = list(input, |required: &Requirement| &required.ty)?;
                Ok(())
            },
        },
        Key {
            name: "needs",
            takes: "component types",
            usage: "needs(A, B)",
            read: |attr, input| {
                attr.rules.needs = list(input, |ty| ty)?;
                Ok(())
            },
        },
        Key {
            name: "excludes",
            takes: "component types",
            usage: "excludes(A, B)",
            read: |attr, input| {
                attr.rules.excludes = list(input, |ty| ty)?;
                Ok(())
            },
        },
        Key {
            name: "replaces",
            takes: "component types",
            usage: "replaces(A, B)",
            read: |attr, input| {
                attr.rules.replaces = list(input, |ty| ty)?;
                Ok(())
            },
        },
        range(),
        unit(),
        Key {
            name: "layout",
            takes: "the string \"soa\"",
            usage: "layout = \"soa\"",
            read: |attr, input| {
                let layout: LitStr = value(input)?;
                if layout.value() != "soa" {
                    return Err(refused(&layout));
                }
                attr.soa = true;
                Ok(())
            },
        },
        Key {
            name: "ref",
            takes: "a name for the references to its fields",
            usage: "ref = Name",
            read: |attr, input| {
                attr.reference = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "mut",
            takes: "a name for the exclusive references to its fields",
            usage: "mut = Name",
            read: |attr, input| {
                attr.reference_mut = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "slices",
            takes: "a name for the slices of its columns",
            usage: "slices = Name",
            read: |attr, input| {
                attr.slices = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "slices_mut",
            takes: "a name for the exclusive slices of its columns",
            usage: "slices_mut = Name",
            read: |attr, input| {
                attr.slices_mut = Some(value(input)?);
                Ok(())
            },
        },
        Key {
            name: "fields",
            takes: "a name for the module of its columns",
            usage: "fields = name",
            read: |attr, input| {
                attr.fields = Some(value(input)?);
                Ok(())
            },
        },
    ],
};

const fn clone<A: Saves>() -> Key<A> {
    Key {
        name: "clone",
        takes: "no value, or `skip` if copies are to be without it",
        usage: "clone",
        read: |attr, input| {
            let is_skipped = input.parse::<Option<Token![=]>>()?.is_some();
            let copying = attr.copying();
            (copying.is_copied, copying.is_skipped) = (!is_skipped, is_skipped);
            if is_skipped { skip(input) } else { Ok(()) }
        },
    }
}

/// The word that leaves something out.
fn skip(input: ParseStream) -> syn::Result<()> {
    let word: Ident = input.parse()?;
    if word == "skip" { Ok(()) } else { Err(refused(&word)) }
}

const fn save<A: Saves>() -> Key<A> {
    Key {
        name: "save",
        takes: "a name in quotes, under which it is found in files, or `skip` if files are to be without it",
        usage: "save = \"name\"",
        read: |attr, input| {
            input.parse::<Token![=]>()?;
            if input.peek(Ident) {
                attr.saving().is_skipped = true;
                return skip(input);
            }
            let name: LitStr = input.parse()?;
            if name.value().is_empty() {
                return Err(refused(&name));
            }
            attr.saving().name = Some(name);
            Ok(())
        },
    }
}

const fn instance<A: Saves>() -> Key<A> {
    Key {
        name: "instance",
        takes: "a text that tells the instances of a generic type apart, such as a constant of its parameter",
        usage: "instance = T::NAME",
        read: |attr, input| {
            attr.saving().instance = Some(value(input)?);
            Ok(())
        },
    }
}

const fn version<A: Saves>() -> Key<A> {
    Key {
        name: "version",
        takes: "a number from 1 on",
        usage: "version = 2",
        read: |attr, input| {
            attr.saving().version = Some(from_one(value(input)?)?);
            Ok(())
        },
    }
}

const fn from<A: Saves>() -> Key<A> {
    Key {
        name: "from",
        takes: "earlier versions, each with the type that it had",
        usage: "from(1 = OldName)",
        read: |attr, input| {
            attr.saving().from = list(input, |old: &OldVersion| &old.ty)?;
            Ok(())
        },
    }
}

const QUERY: Table<QueryAttr> = Table {
    attribute: "query",
    on_fields: &["column"],
    keys: &[
        Key {
            name: "with",
            takes: "component types",
            usage: "with(A, B)",
            read: |attr, input| {
                attr.with = components(input)?;
                Ok(())
            },
        },
        Key {
            name: "without",
            takes: "component types",
            usage: "without(A, B)",
            read: |attr, input| {
                attr.without = components(input)?;
                Ok(())
            },
        },
    ],
};

const COLUMN: Table<ColumnAttr> = Table {
    attribute: "query",
    on_fields: &[],
    keys: &[Key {
        name: "column",
        takes: "the path of a column",
        usage: "column = proximity::distance",
        read: |attr, input| {
            attr.column = Some(value(input)?);
            Ok(())
        },
    }],
};

const FIELD: Table<FieldAttr> = Table {
    attribute: "component",
    on_fields: &[],
    keys: &[
        Key {
            name: "target",
            takes: "no value",
            usage: "target",
            read: |attr, _| {
                attr.target = true;
                Ok(())
            },
        },
        ENTITIES,
        range(),
        unit(),
    ],
};

const RESOURCE_FIELD: Table<FieldAttr> =
    Table { attribute: "resource", on_fields: &[], keys: &[ENTITIES] };

/// Numbers between two, or on one side of one.
const fn range<A: HasNumbers>() -> Key<A> {
    Key {
        name: "range",
        takes: "two ascending numbers, or one of them, with `..` or `..=`",
        usage: "range = 0.0..=1.0",
        read: |attr, input| {
            let range = value(input)?;
            attr.numbers().range = Some(range);
            Ok(())
        },
    }
}

const fn unit<A: HasNumbers>() -> Key<A> {
    Key {
        name: "unit",
        takes: "a text of one line",
        usage: "unit = \"m\"",
        read: |attr, input| {
            let text: LitStr = value(input)?;
            if text.value().is_empty() || text.value().contains(char::is_control) {
                return Err(refused(&text));
            }
            attr.numbers().unit = Some(text);
            Ok(())
        },
    }
}

const ENTITIES: Key<FieldAttr> = Key {
    name: "entities",
    takes: "no value, or `ignore`",
    usage: "entities",
    read: |attr, input| {
        attr.entities = Some(Entities::Map);
        if input.parse::<Option<Token![=]>>()?.is_some() {
            attr.entities = Some(Entities::Ignore);
            return ignore(input);
        }
        Ok(())
    },
};

/// On the fields of a type with `#[derive(MapEntities)]`.
const NESTED_FIELD: Table<FieldAttr> = Table {
    attribute: "entities",
    on_fields: &[],
    keys: &[Key {
        name: "ignore",
        takes: "no value",
        usage: "ignore",
        read: |attr, _| {
            attr.entities = Some(Entities::Ignore);
            Ok(())
        },
    }],
};

/// The word that leaves handles as they are.
fn ignore(input: ParseStream) -> syn::Result<()> {
    let word: Ident = input.parse()?;
    if word == "ignore" { Ok(()) } else { Err(refused(&word)) }
}

const RESOURCE: Table<ResourceAttr> = Table {
    attribute: "resource",
    on_fields: &["entities"],
    keys: &[clone(), save(), instance(), version(), from()],
};

const ECS: Table<EcsAttr> = Table {
    attribute: "ecs",
    on_fields: &[],
    keys: &[
        Key {
            name: "crate",
            takes: "the path of the library",
            usage: "crate = path",
            read: |attr, input| {
                input.parse::<Token![=]>()?;
                attr.krate = Some(input.call(Path::parse_mod_style)?);
                Ok(())
            },
        },
        Key {
            name: "unlisted",
            takes: "no value",
            usage: "unlisted",
            read: |attr, _| {
                attr.is_unlisted = true;
                Ok(())
            },
        },
    ],
};

impl ComponentAttr {
    pub fn read(input: &DeriveInput, errors: &mut Errors) -> Self {
        COMPONENT.read(input, errors)
    }

    /// The paths of the hooks, by their keys.
    pub fn hooks(&self) -> [(&'static str, &Option<ExprPath>); 3] {
        [
            ("on_insert", &self.on_insert),
            ("on_update", &self.on_update),
            ("on_remove", &self.on_remove),
        ]
    }

    /// The names that only columns have, by their keys.
    pub fn column_names(&self) -> [(&'static str, &Option<Ident>); 5] {
        [
            ("ref", &self.reference),
            ("mut", &self.reference_mut),
            ("slices", &self.slices),
            ("slices_mut", &self.slices_mut),
            ("fields", &self.fields),
        ]
    }
}

impl FieldAttr {
    pub fn read(field: &Field, errors: &mut Errors) -> Self {
        let own = field.attrs.iter().filter(|it| COMPONENT.is_on_fields(it)).cloned();
        FIELD.read_all(&own.collect::<Vec<_>>(), errors)
    }

    /// Reads the attributes on a field of a resource.
    pub fn of_resource(field: &Field, errors: &mut Errors) -> Self {
        let own = field.attrs.iter().filter(|it| RESOURCE.is_on_fields(it)).cloned();
        RESOURCE_FIELD.read_all(&own.collect::<Vec<_>>(), errors)
    }

    /// Reads the attributes on a field of a type with `#[derive(MapEntities)]`.
    pub fn of_nested(field: &Field, errors: &mut Errors) -> Self {
        NESTED_FIELD.read_all(&field.attrs, errors)
    }
}

impl ResourceAttr {
    pub fn read(input: &DeriveInput, errors: &mut Errors) -> Self {
        RESOURCE.read(input, errors)
    }
}

impl QueryAttr {
    pub fn read(input: &DeriveInput, errors: &mut Errors) -> Self {
        QUERY.read(input, errors)
    }
}

impl ColumnAttr {
    pub fn read(field: &Field, errors: &mut Errors) -> Self {
        // Others belong on the type, which is said already.
        let own = field.attrs.iter().filter(|it| QUERY.is_on_fields(it)).cloned();
        COLUMN.read_all(&own.collect::<Vec<_>>(), errors)
    }
}

/// Refuses the attributes of the other derives. Every derive parses all attributes, to name the right derive.
pub fn refuse_foreign(input: &DeriveInput, derive: &str, errors: &mut Errors) {
    for attribute in &input.attrs {
        for (name, owner) in [
            (COMPONENT.attribute, "Component"),
            (QUERY.attribute, "Query"),
            (RESOURCE.attribute, "Resource"),
        ] {
            if owner != derive && attribute.path().is_ident(name) {
                let message = format!(
                    "`#[{name}(..)]` belongs to `#[derive({owner})]`, not to `#[derive({derive})]`"
                );
                errors.at(attribute, message);
            }
        }
    }
}

/// Refuses `#[entities(..)]` where it is not on a field.
pub fn refuse_entities_beside_fields(input: &DeriveInput, errors: &mut Errors) {
    let variants = match &input.data {
        Data::Enum(data) => data.variants.iter().collect(),
        Data::Struct(_) | Data::Union(_) => Vec::new(),
    };
    let others = variants.into_iter().flat_map(|variant| &variant.attrs);
    for attribute in input.attrs.iter().chain(others) {
        if attribute.path().is_ident(NESTED_FIELD.attribute) {
            let message = format!("`{}` belongs on a field", spell(attribute));
            errors.at(attribute, message);
        }
    }
}

/// The path of the library's `__private`, or nothing if `#[ecs(..)]` leaves it in doubt.
pub fn private(input: &DeriveInput, errors: &mut Errors) -> Option<TokenStream> {
    private_by(|errors| ECS.read(input, errors), errors)
}

/// Returns the path of the private module, for an item with these attributes.
pub fn private_of(attributes: &[Attribute], errors: &mut Errors) -> Option<TokenStream> {
    private_by(|errors| ECS.read_all(attributes, errors), errors)
}

/// The attribute of an impl that `rustc` is not to list where another type lacks it. A crate without the prelude cannot
/// name it.
pub fn unlisted(input: &DeriveInput) -> Option<TokenStream> {
    let attr = ECS.read(input, &mut Errors::default());
    attr.is_unlisted.then(|| quote!(#[diagnostic::do_not_recommend]))
}

fn private_by(
    read: impl FnOnce(&mut Errors) -> EcsAttr,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let mut own = Errors::default();
    let attr = read(&mut own);
    let sure = own.is_empty();
    errors.append(own);
    let path = attr.krate.map_or_else(library::path, Path::into_token_stream);
    sure.then(|| quote!(#path::__private))
}

/// `= value`
fn value<T: Parse>(input: ParseStream) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn bit(literal: &LitInt) -> syn::Result<u8> {
    match literal.base10_parse() {
        Ok(bit @ 0..=LAST_BIT) => Ok(bit),
        _ => Err(refused(literal)),
    }
}

fn from_one(literal: LitInt) -> syn::Result<LitInt> {
    match literal.base10_parse::<u32>() {
        Ok(1..) => Ok(literal),
        _ => Err(refused(&literal)),
    }
}

impl Parse for OldVersion {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let version = from_one(input.parse()?)?;
        input.parse::<Token![=]>()?;
        let ty = input.parse()?;
        let is_several = input.parse::<Option<Token![as]>>()?.is_some();
        let several = if is_several { Some(input.parse()?) } else { None };
        Ok(Self { version, ty, several })
    }
}

/// `(target = Ship)`
struct RelationTarget(Type);

impl Parse for RelationTarget {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let content;
        parenthesized!(content in input);
        let read = |content: ParseStream| {
            let word: Ident = content.parse()?;
            if word != "target" {
                return Err(refused(&word));
            }
            let ty = value(content)?;
            content.parse::<Option<Token![,]>>()?;
            Ok(Self(ty))
        };
        let target = read(&content);
        let rest = content.parse::<TokenStream>()?; // skipped: a mistake gives one error
        match target {
            Ok(_) if !rest.is_empty() => Err(refused(&rest)),
            target => target,
        }
    }
}

impl Parse for IndexAttr {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let content;
        parenthesized!(content in input);
        let attr = Self::of_keys(&content);
        content.parse::<TokenStream>()?; // skipped: a mistake gives one error
        attr
    }
}

impl IndexAttr {
    /// Reads `ordered, by = field`
    fn of_keys(input: ParseStream) -> syn::Result<Self> {
        let mut attr = Self::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            let is_wrong = match &*word.to_string() {
                "ordered" => core::mem::replace(&mut attr.is_ordered, true),
                "kind" => attr.kind.replace(value(input)?).is_some(),
                "by" => attr.by.replace(value(input)?).is_some(),
                "key" => attr.key.replace(value(input)?).is_some(),
                _ => true,
            };
            if is_wrong {
                return Err(refused(&word));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(attr)
    }
}

impl Parse for Requirement {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let ty = input.parse()?;
        let value =
            if input.parse::<Option<Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { ty, value })
    }
}

/// `(A, B)`
fn components(input: ParseStream) -> syn::Result<Vec<Type>> {
    list(input, |ty| ty)
}

/// Some items in parentheses; each names a component.
fn list<T: Parse>(input: ParseStream, component: fn(&T) -> &Type) -> syn::Result<Vec<T>> {
    let content;
    let parentheses = parenthesized!(content in input);
    let items = Punctuated::<T, Token![,]>::parse_terminated(&content);
    content.parse::<TokenStream>()?; // code behind a mistake is no mistake of its own
    let items = items?;
    if items.is_empty() {
        return Err(syn::Error::new(parentheses.span.join(), "empty"));
    }
    let is_wrong = |ty: &&Type| matches!(bare(ty), Type::Reference(_) | Type::Tuple(_));
    match items.iter().map(component).find(is_wrong) {
        Some(wrong) => Err(refused(wrong)),
        None => Ok(items.into_iter().collect()),
    }
}

/// An error for its place: the message comes from the table.
fn refused(tokens: &impl ToTokens) -> syn::Error {
    syn::Error::new_spanned(tokens, "refused")
}

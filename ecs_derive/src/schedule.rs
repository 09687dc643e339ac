//! `schedule!`

use crate::attr;
use crate::errors::Errors;
use crate::item::{located_at, plain_name};
use crate::spell::spell;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Error, ExprPath, Ident, Result, Token, TypePath, Visibility, braced, parenthesized,
};

/// `pub struct Name { lines }`
pub struct Schedule {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    lines: Vec<Line>,
    /// The mistakes in the lines.
    errors: Errors,
}

enum Line {
    System(System),
    /// `together(a, b)`
    Together(Vec<System>),
    /// `sync`
    Sync,
    /// `name: Type`, or `name: Type if condition`
    Set(Ident, TypePath, Option<ExprPath>),
}

/// `system`, or `system if condition`
struct System {
    path: ExprPath,
    condition: Option<ExprPath>,
}

impl Parse for Schedule {
    fn parse(input: ParseStream) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name: Ident = input.parse()?;
        let content;
        braced!(content in input);
        let mut errors = Errors::default();
        let lines = lines(&content, &mut errors);
        Ok(Self { attributes, visibility, name, lines, errors })
    }
}

/// The lines; after one that is wrong, the next one is read.
fn lines(input: ParseStream, errors: &mut Errors) -> Vec<Line> {
    let mut lines = Vec::new();
    while !input.is_empty() {
        match input.parse() {
            Ok(line) => lines.push(line),
            Err(error) => {
                errors.push(error);
                while !input.is_empty()
                    && !input.peek(Token![,])
                    && input.parse::<TokenTree>().is_ok()
                {}
            }
        }
        if !input.is_empty() {
            let _ = input.parse::<Token![,]>();
        }
    }
    lines
}

impl Parse for Line {
    fn parse(input: ParseStream) -> Result<Self> {
        for attribute in input.call(Attribute::parse_outer)? {
            if !attribute.path().is_ident("doc") {
                let message = "a line of a schedule has no attributes";
                return Err(Error::new_spanned(attribute, message));
            }
        }
        let word = input.fork().parse::<Ident>().ok();
        let is = |name: &str| word.as_ref().is_some_and(|word| word == name);
        if is("together") && input.peek2(syn::token::Paren) {
            input.parse::<Ident>()?;
            let content;
            parenthesized!(content in input);
            let systems = members(&content);
            while content.parse::<TokenTree>().is_ok() {} // the rest of a wrong one
            let systems = systems?;
            return end(input).map(|()| Self::Together(systems));
        }
        if input.peek2(Token![:]) && !input.peek2(Token![::]) {
            let name = input.parse()?;
            input.parse::<Token![:]>()?;
            let schedule = input.parse()?;
            let condition = condition(input)?;
            return end(input).map(|()| Self::Set(name, schedule, condition));
        }
        let line = match input.parse::<System>()? {
            System { path, condition: None } if path.path.is_ident("sync") => Self::Sync,
            system => Self::System(system),
        };
        end(input).map(|()| line)
    }
}

impl Parse for System {
    fn parse(input: ParseStream) -> Result<Self> {
        Ok(Self { path: path(input)?, condition: condition(input)? })
    }
}

/// The path of a function.
fn path(input: ParseStream) -> Result<ExprPath> {
    input.parse().map_err(|error: Error| {
        let message = "write the path of a function, as in `steer`, `heal::<Player>` or \
                       `steer if is_running`; `Schedule::add` takes closures";
        Error::new(error.span(), message)
    })
}

/// `if condition`, or nothing.
fn condition(input: ParseStream) -> Result<Option<ExprPath>> {
    input.parse::<Option<Token![if]>>()?.map(|_| path(input)).transpose()
}

/// Parses the members of `together`.
fn members(input: ParseStream) -> Result<Vec<System>> {
    let mut members = Vec::new();
    while !input.is_empty() {
        members.push(input.parse()?);
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            return Err(input.error("only systems stand in `together`: list a schedule beside it"));
        }
    }
    Ok(members)
}

/// Demands that a line ends here.
fn end(input: ParseStream) -> Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(input.error("a line of a schedule is `system`, `system if condition`, `together(a, b)`, `name: Schedule`, `name: Schedule if condition` or `sync`"))
}

pub fn expand(schedule: Schedule, errors: &mut Errors) -> TokenStream {
    let Schedule { attributes, visibility, name, lines, errors: own } = schedule;
    errors.append(own);
    let private = attr::private_of(&attributes, errors);
    let lines = if errors.is_empty() { lines } else { Vec::new() };
    let Some(private) = private else { return quote!() };
    let attributes = attributes.iter().filter(|attribute| !attribute.path().is_ident("ecs"));
    let list = lines.iter().map(|line| line.list(&private));
    let checks = lines.iter().enumerate().map(|(at, line)| line.checks(at, &name, &private));
    let label = plain_name(&name);
    let new = format!("A `{label}` that did not run yet.");

    quote! {
        #(#attributes)*
        #visibility struct #name {
            __schedule: #private::Schedule,
        }

        const _: () = {
            #[automatically_derived]
            impl #private::Listed for #name {
                const LINES: &'static [#private::Line] = &[#(#list),*];
            }

            const __LEN: ::core::primitive::usize =
                #private::count_steps(<#name as #private::Listed>::LINES);
            #(#checks)*

            impl #name {
                /// Which of its systems wait for which.
                #visibility const PLAN: #private::SchedulePlan<{ __LEN }> =
                    #private::plan(<#name as #private::Listed>::LINES);

                #[doc = #new]
                ///
                /// # Panics
                /// When systems in `together` conflict by generic components, which only the running process can
                /// compare, or parameters of a system alias by these.
                #[must_use]
                #[track_caller]
                #visibility fn new() -> Self {
                    Self { __schedule: #private::Schedule::of_lines(<Self as #private::Listed>::LINES) }
                }
            }

            #[automatically_derived]
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    Self::new()
                }
            }

            #[automatically_derived]
            impl ::core::ops::Deref for #name {
                type Target = #private::Schedule;
                fn deref(&self) -> &#private::Schedule {
                    &self.__schedule
                }
            }

            #[automatically_derived]
            impl ::core::ops::DerefMut for #name {
                fn deref_mut(&mut self) -> &mut #private::Schedule {
                    &mut self.__schedule
                }
            }

            #[automatically_derived]
            impl ::core::convert::From<#name> for #private::Schedule {
                fn from(__from: #name) -> Self {
                    __from.__schedule
                }
            }

            #[automatically_derived]
            impl ::core::fmt::Debug for #name {
                fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.__schedule, __f)
                }
            }
        };
    }
}

impl Line {
    fn list(&self, private: &TokenStream) -> TokenStream {
        match self {
            Self::System(system) => system.list(private),
            Self::Sync => quote!(#private::Line::Sync),
            Self::Set(name, schedule, condition) => {
                let (name, condition) = (plain_name(name), asked(condition.as_ref(), private));
                let lines = quote!(<#schedule as #private::Listed>::LINES);
                quote!(#private::Line::Set { name: #name, lines: #lines, condition: #condition })
            }
            Self::Together(systems) => {
                let systems = systems.iter().map(|system| system.list(private));
                quote!(#private::Line::Together { lines: &[#(#systems),*] })
            }
        }
    }

    /// The checks of the line with this number: each is an error at the mistake.
    fn checks(&self, at: usize, schedule: &Ident, private: &TokenStream) -> TokenStream {
        let line = quote!(<#schedule as #private::Listed>::LINES[#at]);
        match self {
            Self::System(system) => system.checks(&line, private),
            Self::Together(systems) => systems
                .iter()
                .enumerate()
                .flat_map(|(member, system)| {
                    let one = quote!(#private::Line::member(&#line, #member));
                    let alone = system.checks(&one, private);
                    let check = quote!(#private::check_member(&#line, #member));
                    [alone, check_at(check, &system.path)]
                })
                .collect(),
            Self::Set(_, _, condition) => check_condition(condition.as_ref(), &line, private),
            Self::Sync => TokenStream::new(),
        }
    }
}

/// A function, as an entry of the list.
fn entry(kind: &str, path: &ExprPath, private: &TokenStream) -> TokenStream {
    let kind = Ident::new(kind, Span::call_site());
    let [call, and] = [quote!(#private::#kind), quote!(&)].map(|it| located_at(it, path));
    let name = name_of(path);
    quote!(#call(#name, #and #path))
}

/// The condition of a line, if it has one.
fn asked(condition: Option<&ExprPath>, private: &TokenStream) -> TokenStream {
    let condition = condition.map(|path| entry("condition", path, private));
    condition.map_or_else(
        || quote!(::core::option::Option::None),
        |condition| quote!(::core::option::Option::Some(#condition)),
    )
}

/// The check of the condition of a line, if it has one.
fn check_condition(
    condition: Option<&ExprPath>,
    line: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let check = |path| check_at(quote!(#private::check_condition(&#line)), path);
    condition.map(check).unwrap_or_default()
}

/// A check, for an error at `place`.
fn check_at(check: TokenStream, place: &ExprPath) -> TokenStream {
    let check = located_at(check, place);
    quote!(const _: () = #check;)
}

impl System {
    fn list(&self, private: &TokenStream) -> TokenStream {
        let system = entry("system", &self.path, private);
        let condition = asked(self.condition.as_ref(), private);
        quote!(#private::Line::System { system: #system, condition: #condition })
    }

    /// The checks of the content of this line.
    fn checks(&self, line: &TokenStream, private: &TokenStream) -> TokenStream {
        let system = check_at(quote!(#private::check_system(&#line)), &self.path);
        let condition = check_condition(self.condition.as_ref(), line, private);
        quote!(#system #condition)
    }
}

/// The last word of a path, with its arguments: `heal<Player>`.
fn name_of(path: &ExprPath) -> String {
    let Some(last) = path.path.segments.last() else { return spell(path) };
    let arguments = spell(&last.arguments.to_token_stream());
    plain_name(&last.ident) + arguments.trim_start_matches("::")
}

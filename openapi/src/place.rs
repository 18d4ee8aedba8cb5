//! The places of parameters in requests, and the styles that each place can have.

/// The part of a request that has a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
    Cookie,
}

impl Place {
    pub(crate) const ALL: [(&str, Place); 4] = [
        ("path", Place::Path),
        ("query", Place::Query),
        ("header", Place::Header),
        ("cookie", Place::Cookie),
    ];

    pub(crate) fn word(self) -> &'static str {
        Place::ALL.iter().find(|(_, place)| *place == self).map_or("", |(word, _)| word)
    }
}

/// The form of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    Space,
    Pipe,
    Deep,
    /// JSON, which a parameter with `content` has.
    Json,
}

impl Style {
    /// The styles by name, with the places that can have them.
    const ALL: [(&str, Style, &[Place]); 7] = [
        ("simple", Style::Simple, &[Place::Path, Place::Header]),
        ("label", Style::Label, &[Place::Path]),
        ("matrix", Style::Matrix, &[Place::Path]),
        ("form", Style::Form, &[Place::Query, Place::Cookie]),
        ("spaceDelimited", Style::Space, &[Place::Query]),
        ("pipeDelimited", Style::Pipe, &[Place::Query]),
        ("deepObject", Style::Deep, &[Place::Query]),
    ];

    /// Returns the style of a parameter that states none.
    pub(crate) fn usual(place: Place) -> Style {
        match place {
            Place::Path | Place::Header => Style::Simple,
            Place::Query | Place::Cookie => Style::Form,
        }
    }

    /// Returns the style with a name, if a parameter in this place can have it.
    pub(crate) fn find(name: &str, place: Place) -> Option<Style> {
        let found = Style::ALL.iter().find(|(known, ..)| *known == name);
        found.filter(|(.., places)| places.contains(&place)).map(|(_, style, _)| *style)
    }

    /// Returns whether a parameter of the style that does not state `explode` has a part for each item.
    pub(crate) fn explodes(self) -> bool {
        matches!(self, Style::Form | Style::Deep)
    }
}

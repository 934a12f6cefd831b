//! Addresses below the server: where a table is for a seat, and what opens a seat.

/// Where a table is, for a seat; for spectators without a name.
pub fn to_table(table: &str, seat: &str) -> String {
    format!("/t/{table}/?{}", of_seat(seat))
}

/// What opens a seat, or the table for spectators, by its secret.
pub fn to_join(table: &str, secret: &str) -> String {
    format!("/join/{table}/{secret}")
}

/// The end of addresses below a table: as whom a page looks.
pub fn of_seat(seat: &str) -> String {
    format!("seat={}", encoded(seat))
}

/// A text as a value in an address.
pub fn encoded(text: &str) -> String {
    encoded_but(text, |_, _| false)
}

/// The same, but for the bytes that stay: asked for each that is neither a letter nor a digit, with its place.
pub fn encoded_but(text: &str, stays: impl Fn(usize, u8) -> bool) -> String {
    let mut link = String::with_capacity(text.len());
    for (place, byte) in text.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || stays(place, byte) {
            link.push(byte.into());
        } else {
            link += &format!("%{byte:02X}");
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_addresses_as_what_they_are() {
        assert_eq!(to_table("kd9f6vjb", "Kent & Söhne"), "/t/kd9f6vjb/?seat=Kent%20%26%20S%C3%B6hne");
        assert_eq!(to_table("kd9f6vjb", ""), "/t/kd9f6vjb/?seat=");
        assert_eq!(encoded("games/a?b=c"), "games%2Fa%3Fb%3Dc");
    }
}

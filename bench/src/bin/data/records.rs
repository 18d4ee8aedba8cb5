//! Makes the data of the suite: the same records at every run, from one seed.

use serde_json::{Map, Value, json};

/// The names of the sets of records. A program reads the sets that it names after `ctx/`.
pub(crate) const SETS: [&str; 9] = [
    "orders",
    "customers",
    "products",
    "prices",
    "events",
    "readings",
    "messages",
    "logs",
    "employees",
];

/// Makes one set of records.
pub(crate) fn records(set: &str) -> Vec<Value> {
    let seed = set.bytes().fold(31, |seed, byte| seed * 131 + u64::from(byte));
    let mut random = Random(seed);
    let make = match set {
        "orders" => order,
        "customers" => customer,
        "products" => product,
        "prices" => price,
        "events" => event,
        "readings" => reading,
        "messages" => message,
        "logs" => log,
        _ => employee,
    };
    (0..count(set)).map(|number| make(number, &mut random)).collect()
}

const CUSTOMERS: u64 = 5_000;
const PRODUCTS: u64 = 5_000;

/// Returns the number of records in a set.
pub(crate) fn count(set: &str) -> u64 {
    match set {
        "orders" => 10_000,
        "customers" => CUSTOMERS,
        "products" | "prices" => PRODUCTS,
        "events" => 30_000,
        "readings" => 50_000,
        "messages" => 8_000,
        "logs" => 20_000,
        _ => 5_000,
    }
}

/// A generator of pseudo-random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Returns a number below `end`; small ones are more frequent.
    fn skewed(&mut self, end: u64) -> u64 {
        self.below(end) * self.below(end) / end
    }

    /// Returns true `percent` times of a hundred.
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// Returns an amount with two decimals.
    fn cents(&mut self, from: u64, to: u64) -> f64 {
        (from + self.below(to - from)) as f64 / 100.0
    }
}

/// Puts a value under a key, except in `percent` of a hundred records, which miss the key.
fn put(record: &mut Value, key: &str, value: Value, percent: u64, random: &mut Random) {
    if let Value::Object(fields) = record
        && !random.chance(percent)
    {
        fields.insert(key.to_owned(), value);
    }
}

/// Returns a day of 2023 or 2024, as in `2024-03-05`.
fn day(number: u64) -> String {
    const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut left = number % 731;
    for year in [2023, 2024] {
        for (month, days) in DAYS.into_iter().enumerate() {
            let days = days + u64::from(year == 2024 && month == 1);
            if left < days {
                return format!("{year}-{:02}-{:02}", month + 1, left + 1);
            }
            left -= days;
        }
    }
    "2024-12-31".to_owned()
}

/// Returns a time of a day, as in `2024-03-05T10:22:31`.
fn time(number: u64, second: u64) -> String {
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}", day(number))
}

const FIRST: [&str; 24] = [
    "Anna",
    "Ελένη",
    "Иван",
    "美咲",
    "José",
    "Zoë",
    "Αλέξανδρος",
    "Ольга",
    "伟",
    "Łukasz",
    "Mary",
    "Νίκος",
    "Дмитрий",
    "花子",
    "Ángel",
    "Siobhán",
    "Γιώργος",
    "Светлана",
    "芳",
    "Jürgen",
    "Amélie",
    "Σοφία",
    "Жанна",
    "健太",
];

const LAST: [&str; 24] = [
    "Smith",
    "Παπαδοπούλου",
    "Петров",
    "佐藤",
    "García",
    "O'Brien",
    "Ιωάννου",
    "Иванова",
    "王",
    "Nowak",
    "Müller",
    "Οικονόμου",
    "Смирнов",
    "鈴木",
    "Núñez",
    "Åkesson",
    "Βασιλείου",
    "Кузнецова",
    "李",
    "Bjørnsen",
    "Dupont",
    "Γεωργίου",
    "Попова",
    "田中",
];

const CITIES: [(&str, &str); 10] = [
    ("Berlin", "DE"),
    ("Αθήνα", "GR"),
    ("Київ", "UA"),
    ("東京", "JP"),
    ("São Paulo", "BR"),
    ("Kraków", "PL"),
    ("London", "GB"),
    ("Θεσσαλονίκη", "GR"),
    ("北京", "CN"),
    ("Paris", "FR"),
];

fn person(random: &mut Random) -> String {
    format!("{} {}", random.pick(&FIRST), random.pick(&LAST))
}

fn customer_id(number: u64) -> String {
    format!("C{number:04}")
}

fn sku(number: u64) -> String {
    format!("SKU-{:05}", number * 7 % 99_991)
}

fn order(number: u64, random: &mut Random) -> Value {
    let lines: Vec<Value> = (0..=random.below(5))
        .map(|_| {
            let mut line = json!({
                "sku": sku(random.skewed(PRODUCTS)),
                "quantity": 1 + random.skewed(9),
                "price": random.cents(199, 20_000),
            });
            put(&mut line, "discount", random.pick(&[0.05, 0.1, 0.15, 0.25]).into(), 80, random);
            line
        })
        .collect();
    let (city, country) = random.pick(&CITIES);
    let shipping = if random.chance(12) {
        Value::Null
    } else {
        let mut shipping = json!({
            "method": random.pick(&["standard", "express", "pickup"]),
            "city": city,
            "country": country,
        });
        put(&mut shipping, "cost", random.cents(0, 2_500).into(), 15, random);
        shipping
    };
    let tags: Vec<&str> = ["gift", "fragile", "priority", "b2b", "first", "repeat"]
        .into_iter()
        .filter(|_| random.chance(20))
        .collect();
    let mut order = json!({
        "id": 100_001 + number,
        "customer_id": customer_id(random.skewed(CUSTOMERS)),
        "placed_at": time(random.below(731), random.below(86_400)),
        "status": random.pick(&["paid", "paid", "shipped", "delivered", "delivered", "cancelled", "returned"]),
        "currency": random.pick(&["EUR", "EUR", "USD", "GBP"]),
        "lines": lines,
        "shipping": shipping,
        "tags": tags,
    });
    put(
        &mut order,
        "coupon",
        random.pick(&["SPRING24", "WELCOME", "VIP", "BLACKFRIDAY"]).into(),
        75,
        random,
    );
    order
}

fn customer(number: u64, random: &mut Random) -> Value {
    let (city, country) = random.pick(&CITIES);
    // A tenth of the customers are another record of the same person.
    let mail = if random.chance(10) { random.below(number + 1) } else { number };
    let domain = random.pick(&["example.com", "mail.example", "Example.ORG", "corp.example.net"]);
    let mail = match random.below(20) {
        0 => format!("  User{mail}@{domain}"),
        1 => format!("user{mail}@{domain} "),
        2 => format!("user{mail}.{domain}"),
        3 | 4 => format!("USER{mail}@{domain}"),
        _ => format!("user{mail}@{domain}"),
    };
    let phones: Vec<Value> = (0..random.below(3))
        .map(|_| {
            let (a, b, c) = (random.below(900) + 100, random.below(1000), random.below(10_000));
            let number = match random.below(4) {
                0 => format!("+30 {a} {b:03}-{c:04}"),
                1 => format!("({a}) {b:03} {c:04}"),
                2 => format!("0049-{a}-{b:03}{c:04}"),
                _ => format!("{a}.{b:03}.{c:04}"),
            };
            json!({"kind": random.pick(&["home", "work", "mobile"]), "number": number})
        })
        .collect();
    let address = if random.chance(10) {
        Value::Null
    } else {
        json!({"city": city, "zip": format!("{:05}", random.below(100_000)), "geo": {
            "lat": random.cents(0, 18_000) - 90.0, "lon": random.cents(0, 36_000) - 180.0}})
    };
    let mut customer = json!({
        "id": customer_id(number),
        "name": person(random),
        "country": country,
        "joined": day(random.below(731)),
        "address": address,
        "phones": phones,
    });
    put(&mut customer, "email", mail.into(), 4, random);
    put(&mut customer, "segment", random.pick(&["gold", "silver", "basic"]).into(), 30, random);
    put(
        &mut customer,
        "age",
        random.pick(&[-1, 17, 23, 31, 38, 44, 52, 67, 81, 140]).into(),
        20,
        random,
    );
    customer
}

fn product(number: u64, random: &mut Random) -> Value {
    const CATEGORIES: [(&str, &str, &str); 8] = [
        ("Küche", "Home", "Kitchen"),
        ("Βιβλία", "Media", "Books"),
        ("Музыка", "Media", "Music"),
        ("玩具", "Kids", "Toys"),
        ("Garden", "Home", "Garden"),
        ("Lampen", "Home", "Light"),
        ("Παιχνίδια", "Kids", "Games"),
        ("文具", "Office", "Paper"),
    ];
    let (name, top, sub) = random.pick(&CATEGORIES);
    let mut stock = Map::new();
    for place in ["berlin", "athens", "tokyo", "paris", "london"] {
        if random.chance(60) {
            stock.insert(place.to_owned(), random.below(200).into());
        }
    }
    let mut product = json!({
        "sku": sku(number),
        "name": format!("{} {}", random.pick(&["Basic", "Super", "Mini", "Royal", "Ζεστό", "Новый", "新しい"]), name),
        "category": {"name": name, "path": [top, sub]},
        "price": random.cents(199, 20_000),
        "stock": stock,
    });
    put(&mut product, "cost", random.cents(99, 9_000).into(), 10, random);
    product
}

fn price(number: u64, random: &mut Random) -> Value {
    // The new list misses some products, and has some new ones.
    let number = if random.chance(5) { PRODUCTS + number } else { number };
    json!({
        "sku": sku(number),
        "price": random.cents(199, 20_000),
        "valid": {"from": day(400 + random.below(200)), "currency": "EUR"},
    })
}

fn event(number: u64, random: &mut Random) -> Value {
    let pages = [
        format!("/item/{}", random.below(500)),
        format!("/item/{}?ref=mail&utm=spring", random.below(500)),
        format!(
            "/search?q={}&page={}",
            random.pick(&["lamp", "βιβλίο", "книга", "玩具"]),
            random.below(9)
        ),
        "/".to_owned(),
        "/cart".to_owned(),
    ];
    let mut device = json!({"os": random.pick(&["ios", "android", "windows", "linux", "mac"])});
    put(
        &mut device,
        "model",
        random.pick(&["Pixel 8", "iPhone 15", "ThinkPad"]).into(),
        40,
        random,
    );
    let mut event = json!({
        "user": format!("u{}", random.skewed(800)),
        "at": 1_709_280_000 + number * 40 + random.below(40),
        "kind": random.pick(&["view", "view", "view", "click", "click", "cart", "buy"]),
        "page": pages[random.below(5) as usize],
        "device": device,
    });
    put(&mut event, "ms", (5 + random.skewed(4_000)).into(), 10, random);
    event
}

fn reading(number: u64, random: &mut Random) -> Value {
    let sensor = number % 20;
    // Sensors stop now and then, so their times have gaps.
    let minute = number / 20 * 15 + 45 * (number / 20 / 97);
    let value = match random.below(100) {
        0..5 => Value::Null,
        5 => (random.cents(0, 20_000)).into(),
        _ => ((sensor * 100 + random.below(1_000)) as f64 / 100.0).into(),
    };
    json!({
        "sensor": format!("s-{sensor:02}"),
        "at": time(minute / 1440, minute % 1440 * 60),
        "value": value,
        "state": random.pick(&["ok", "ok", "ok", "ok", "warn", "fail"]),
        "unit": if sensor.is_multiple_of(2) { "C" } else { "%" },
    })
}

fn message(number: u64, random: &mut Random) -> Value {
    const WORDS: [(&str, [&str; 12]); 5] = [
        (
            "en",
            [
                "the", "market", "opens", "late", "today", "and", "prices", "rise", "Again", "we",
                "ship", "don't",
            ],
        ),
        (
            "el",
            [
                "η",
                "αγορά",
                "ανοίγει",
                "αργά",
                "σήμερα",
                "και",
                "οι",
                "τιμές",
                "Ανεβαίνουν",
                "πάλι",
                "στην",
                "Αθήνα",
            ],
        ),
        (
            "ru",
            [
                "рынок",
                "сегодня",
                "открыт",
                "поздно",
                "и",
                "цены",
                "Растут",
                "снова",
                "мы",
                "везём",
                "товар",
                "домой",
            ],
        ),
        (
            "ja",
            [
                "市場",
                "は",
                "今日",
                "遅く",
                "開く",
                "価格",
                "が",
                "また",
                "上がる",
                "荷物",
                "を",
                "送る",
            ],
        ),
        (
            "de",
            [
                "der",
                "Markt",
                "öffnet",
                "spät",
                "heute",
                "und",
                "die",
                "Preise",
                "Steigen",
                "wieder",
                "für",
                "größere",
            ],
        ),
    ];
    const TAGS: [&str; 8] =
        ["#sale", "#νέα", "#новости", "#速報", "#preise", "#urgent", "#Sale", "#shop_24"];
    let (lang, words) = random.pick(&WORDS);
    let mut text = String::new();
    for at in 0..6 + random.below(24) {
        if at > 0 {
            text.push_str(random.pick(&[" ", " ", " ", " ", " ", ", ", ". ", "! "]));
        }
        let part = match random.below(40) {
            0 => random.pick(&TAGS).to_owned(),
            1 => format!("@{}", random.pick(&["anna", "ivan", "eleni", "misaki"])),
            2 => format!("https://example.com/p/{}", random.below(1_000)),
            3 => random.pick(&["🎉", "🔥", "👍🏽", "🇬🇷"]).to_owned(),
            4 => format!("{}€", random.below(500)),
            _ => random.pick(&words).to_owned(),
        };
        text.push_str(&part);
    }
    let mut message = json!({
        "id": number + 1,
        "author": {"name": person(random), "followers": random.skewed(10_000)},
        "lang": lang,
        "text": text,
        "likes": random.skewed(500),
    });
    if number > 0 && random.chance(60) {
        let to = number - random.skewed(number.min(400));
        put(&mut message, "reply_to", to.max(1).into(), 0, random);
    }
    message
}

fn log(number: u64, random: &mut Random) -> Value {
    let service = random.pick(&["billing", "search", "αποθήκη", "склад", "gateway"]);
    let level = random.pick(&["INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"]);
    let ms = random.skewed(5_000);
    let rest = match random.below(4) {
        0 => format!(
            "GET /api/v1/items/{} took {ms} ms status={}",
            random.below(900),
            random.pick(&[200, 200, 200, 404, 500])
        ),
        1 => format!(
            "user=u{} logged in from 10.0.{}.{}",
            random.below(800),
            random.below(20),
            random.below(250)
        ),
        2 => format!("retry {} of 5 after {ms} ms: timeout", random.below(5) + 1),
        _ => format!("POST /api/v1/orders took {ms} ms status={}", random.pick(&[201, 201, 409])),
    };
    let at = time(number / 400, number % 400 * 216 + random.below(200)).replace('T', " ");
    json!({"host": format!("web-{}", random.below(6)), "line": format!("{at},{:03} {level} [{service}] {rest}", random.below(1_000))})
}

fn employee(number: u64, random: &mut Random) -> Value {
    const SKILLS: [&str; 12] = [
        "sql",
        "rust",
        "python",
        "ελληνικά",
        "русский",
        "日本語",
        "sales",
        "excel",
        "design",
        "legal",
        "ops",
        "clojure",
    ];
    let mut skills = Vec::new();
    for name in SKILLS {
        if random.chance(25) {
            skills.push(json!({"name": name, "level": 1 + random.below(5)}));
        }
    }
    let manager = if number == 0 { Value::Null } else { (random.skewed(number) + 1).into() };
    let mut employee = json!({
        "id": number + 1,
        "name": person(random),
        "department": random.pick(&["Engineering", "Sales", "Поддержка", "Λογιστήριο", "法務", "Marketing"]),
        "manager": manager,
        "salary": 28_000 + random.skewed(900) * 100,
        "hired": day(random.below(731)),
        "skills": skills,
    });
    put(&mut employee, "left", day(500 + random.below(231)).into(), 85, random);
    employee
}

/**
 * Large cities and countries with one time zone, by zone. A place that ends its zone's name (`Paris`) needs no entry.
 */
export const PLACES_BY_ZONE: Readonly<Record<string, string>> = {
  "Africa/Cairo": "egypt, alexandria",
  "Africa/Casablanca": "morocco, rabat, marrakesh",
  "Africa/Johannesburg": "south africa, cape town, durban, pretoria",
  "Africa/Lagos": "nigeria, abuja, kano",
  "Africa/Nairobi": "kenya, mombasa",
  "America/Argentina/Buenos_Aires": "argentina, buenos aires, cordoba argentina",
  "America/Bogota": "colombia, medellin, cali",
  "America/Chicago": "dallas, houston, austin, san antonio, minneapolis, st louis, new orleans, nashville, kansas city",
  "America/Denver": "salt lake city, albuquerque",
  "America/Halifax": "nova scotia",
  "America/Indiana/Indianapolis": "indianapolis",
  "America/Los_Angeles":
    "san francisco, seattle, san diego, portland, las vegas, sacramento, san jose, silicon valley, california",
  "America/Mexico_City": "guadalajara, puebla",
  "America/New_York":
    "new york city, washington, washington dc, boston, miami, philadelphia, atlanta, orlando, pittsburgh, charlotte",
  "America/Phoenix": "arizona, tucson",
  "America/Sao_Paulo": "são paulo, sao paulo, rio, rio de janeiro, brasilia, belo horizonte",
  "America/Toronto": "ottawa, montreal, quebec",
  "America/Vancouver": "victoria bc",
  "America/Edmonton": "calgary",
  "Asia/Bangkok": "thailand, phuket",
  "Asia/Dhaka": "bangladesh",
  "Asia/Dubai": "united arab emirates, abu dhabi",
  "Asia/Ho_Chi_Minh": "vietnam, hanoi, ho chi minh city, saigon",
  "Asia/Jakarta": "bandung, surabaya",
  "Asia/Jerusalem": "israel, tel aviv, haifa",
  "Asia/Karachi": "pakistan, lahore, islamabad",
  "Asia/Kathmandu": "nepal, kathmandu",
  "Asia/Kolkata":
    "india, kolkata, mumbai, bombay, delhi, new delhi, bangalore, bengaluru, chennai, hyderabad, pune, ahmedabad",
  "Asia/Kuala_Lumpur": "malaysia",
  "Asia/Manila": "philippines, cebu",
  "Asia/Riyadh": "saudi arabia, jeddah, mecca",
  "Asia/Seoul": "korea, south korea, busan, 서울",
  "Asia/Shanghai": "china, beijing, peking, shenzhen, guangzhou, chengdu, hangzhou, wuhan, 北京, 上海",
  "Asia/Taipei": "taiwan, 台北",
  "Asia/Tehran": "iran",
  "Asia/Tokyo": "japan, osaka, kyoto, nagoya, sapporo, fukuoka, yokohama, kobe, sendai, 日本, 東京, 大阪",
  "Asia/Yangon": "myanmar, yangon",
  "Atlantic/Reykjavik": "iceland",
  "Australia/Brisbane": "gold coast, queensland",
  "Australia/Sydney": "canberra, newcastle australia",
  "Europe/Amsterdam": "netherlands, rotterdam, hague, utrecht",
  "Europe/Athens": "greece, thessaloniki",
  "Europe/Berlin":
    "germany, munich, hamburg, frankfurt, cologne, stuttgart, dusseldorf, düsseldorf, münchen, köln, leipzig",
  "Europe/Brussels": "belgium, antwerp",
  "Europe/Bucharest": "romania",
  "Europe/Dublin": "ireland",
  "Europe/Helsinki": "finland",
  "Europe/Istanbul": "turkey, ankara, izmir",
  "Europe/Kyiv": "ukraine, kyiv, kiev, lviv, odesa",
  "Europe/Lisbon": "porto",
  "Europe/London":
    "united kingdom, great britain, england, scotland, wales, manchester, birmingham, edinburgh, glasgow, liverpool",
  "Europe/Madrid": "barcelona, valencia, seville",
  "Europe/Moscow": "st petersburg, saint petersburg",
  "Europe/Oslo": "norway, bergen",
  "Europe/Paris": "france, lyon, marseille, toulouse",
  "Europe/Prague": "czechia, czech republic, brno",
  "Europe/Rome": "italy, milan, naples, turin, florence, venice",
  "Europe/Stockholm": "sweden, gothenburg, malmö",
  "Europe/Vienna": "austria, salzburg, graz",
  "Europe/Warsaw": "poland, krakow, gdansk",
  "Europe/Zurich": "switzerland, zürich, geneva, basel, bern, lausanne",
  "Pacific/Auckland": "new zealand, wellington, christchurch",
  "Pacific/Honolulu": "hawaii",
};

/**
 * Abbreviations in their most common meaning, by zone. Summer and winter names mean the same: the zone's local time.
 */
export const ABBREVIATIONS_BY_ZONE: Readonly<Record<string, string>> = {
  "Africa/Johannesburg": "sast",
  "America/Chicago": "cst, cdt, ct",
  "America/Denver": "mst, mdt",
  "America/Los_Angeles": "la, sf, pst, pdt, pt",
  "America/New_York": "nyc, est, edt, et",
  "Asia/Dubai": "uae",
  "Asia/Hong_Kong": "hkt",
  "Asia/Kolkata": "ist",
  "Asia/Seoul": "kst",
  "Asia/Singapore": "sgt",
  "Asia/Tokyo": "jst",
  "Australia/Sydney": "aest, aedt",
  "Australia/Perth": "awst",
  "Europe/Berlin": "cet, cest",
  "Europe/Helsinki": "eet, eest",
  "Europe/Lisbon": "wet",
  "Europe/London": "uk, bst",
  "Europe/Moscow": "msk",
  "Pacific/Auckland": "nzst, nzdt",
  "Pacific/Honolulu": "hst",
  UTC: "utc, gmt, z",
};

/** Names that cover several time zones. */
export const WIDE_PLACES: ReadonlySet<string> = new Set(
  "usa, us, united states, america, canada, australia, brazil, russia, mexico, indonesia, europe, asia, africa, kazakhstan".split(
    ", ",
  ),
);

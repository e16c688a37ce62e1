package maintext

// Block is an element of a text. Type determines which other fields are set.
type Block struct {
	Type  string     `json:"type"`           // "heading", "paragraph", "list", "quote", "code", "table", "image" or "link"
	Text  string     `json:"text,omitzero"`  // heading, paragraph, quote, code (with line breaks), caption of an image, label of a link
	Level int        `json:"level,omitzero"` // of a heading, 2 to 6
	Items []string   `json:"items,omitzero"` // of a list
	Rows  [][]string `json:"rows,omitzero"`  // of a table; the first row is the heading if Header is set
	URL   string     `json:"url,omitzero"`   // of a link
	Image *Image     `json:"image,omitzero"`

	Ordered bool `json:"ordered,omitzero"` // whether a list is numbered
	Header  bool `json:"header,omitzero"`  // whether the first row of a table contains headings
}

// Image is a picture of a page. Clients fetch it at URL and never get Source, so that
// the site does not get their address.
type Image struct {
	Source  string `json:"-"`                // absolute http or https URL at the site
	URL     string `json:"url,omitzero"`     // path at this server; set by package world
	Thumb   string `json:"thumb,omitzero"`   // path of a small variant, in a gallery
	Caption string `json:"caption,omitzero"` // caption or alternative text
	Credit  string `json:"credit,omitzero"`
	License string `json:"license,omitzero"`
	Width   int    `json:"width,omitzero"` // pixels as the page states, 0 if unknown
	Height  int    `json:"height,omitzero"`
}

// Text is the main text of a page.
type Text struct {
	Title     string   // of the page without the name of the site
	SiteName  string   // "" if unknown
	Byline    string   // authors as the page writes them
	Published string   // RFC 3339 or a date, "" if unknown
	Language  string   // BCP 47, "" if unknown
	Summary   string   // the description of the page, or the beginning of the text
	Words     int      // words of all blocks
	Blocks    []Block  // at most 48 KiB of text
	Images    []*Image // those in Blocks and the lead image of the page, without duplicates
	Links     []Block  // links of the main text, each URL once
	Truncated bool     // the text has been cut
}

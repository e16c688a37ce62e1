package translate

import (
	"encoding/json"

	"appliance/svc/translate/extract"
)

// Encode returns the content of a part as JSON of at most limit bytes. The text of a
// page that is too long loses its links, its last blocks and its last pictures, in this
// order, also in the part itself. Other contents are small: Encode does not change them.
func Encode(part *extract.Extracted, limit int) ([]byte, error) {
	text, err := json.Marshal(part.Content)
	excess := len(text) - limit
	if err != nil || excess <= 0 {
		return text, err
	}
	switch c := part.Content.(type) {
	case *Resource:
		c.Truncated = true
		excess += len(`,"truncated":true`)
		c.Links, excess = dropLast(c.Links, excess)
		c.Blocks, excess = dropLast(c.Blocks, excess)
		c.Images, _ = dropLast(c.Images, excess)
	case *extract.Article:
		part.Warnings = append(part.Warnings, "The text is longer than what is shown.")
		c.Blocks, excess = dropLast(c.Blocks, excess)
		c.Images, _ = dropLast(c.Images, excess)
	}
	return json.Marshal(part.Content)
}

// dropLast removes the last items of a list until their JSON has at least excess bytes.
// It returns the other items and the excess that remains, 0 or less if there is none.
func dropLast[T any](list []T, excess int) ([]T, int) {
	for excess > 0 && len(list) > 0 {
		last := len(list) - 1
		text, err := json.Marshal(list[last])
		if err == nil {
			excess -= len(text)
		}
		list = list[:last]
	}
	return list, excess
}

package apptest

import (
	"strings"
)

// trashed returns the titles in the member's trash.
func (c *Client) Trashed() string {
	c.T.Helper()
	var titles []string
	for _, t := range c.Do("GET", "/world/time/trash").Want(200).List("trash") {
		titles = append(titles, At(t, "title").(string))
	}
	return strings.Join(titles, ", ")
}

package apptest

// SendMessage sends a message to a member and returns the path of the thread.
func (c *Client) SendMessage(recipient any, body string) (thread string) {
	c.T.Helper()
	a := c.Do("POST", "/world/messages", map[string]any{"recipient": recipient, "body": body}).Want(201)
	return a.Str("thread.links.self")
}

// SendInThread sends a message in the thread with a path, and fails the test unless the
// status is 201.
func (c *Client) SendInThread(thread, body string) *Answer {
	c.T.Helper()
	return c.Do("POST", thread+"/messages", map[string]any{"body": body}).Want(201)
}

package feeds

import (
	"context"
	"encoding/json"
	"fmt"

	"appliance/store"
	"appliance/svc/provider/contract"
)

// Operations of commands.
const (
	readOperation    = "mark_as_read"
	unreadOperation  = "mark_as_unread"
	refreshOperation = "refresh"
	removeOperation  = "remove_feed"
)

// command performs a command and returns its result. A repeated command has the same
// effect and the same result.
func (s *Service) command(ctx context.Context, provider string, body []byte) (*contract.Result, error) {
	c, err := contract.ParseCommand(body)
	if err != nil {
		return nil, err
	}
	r := &contract.Result{
		Contract: contract.ResultContract, CommandID: c.CommandID, Provider: provider, Operation: c.Operation, TargetSource: c.TargetSource,
		Status: contract.Completed,
	}
	changed := false
	err = s.db.Write(ctx, func(tx *store.Tx) (err error) {
		changed, r.Status, r.Message, err = s.perform(tx, c)
		return err
	})
	if changed {
		r.Refresh = contract.Refresh{Requested: true, Scope: "provider"}
	}
	return r, err
}

// numberOf returns the number of the feed of a command, 0 if it has none.
func numberOf(c *contract.Command) int64 {
	id, _ := c.Metadata["feed"].(json.Number)
	n, _ := id.Int64()
	return n
}

// perform performs a command. changed reports whether the payload may differ afterwards.
func (s *Service) perform(tx *store.Tx, c *contract.Command) (changed bool, status contract.ResultStatus, message string, err error) {
	args := store.Args{"provider": c.Provider, "subject": c.Member.Subject}
	switch c.Operation {
	case readOperation:
		article := store.Args{"provider": c.Provider, "article": c.TargetSource.SourceID}
		var n int
		if err := tx.Get(&n, s.q.HasArticle, article); err != nil || n == 0 {
			return true, contract.Rejected, "This article is no longer available.", err
		}
		args["article"], args["now"] = c.TargetSource.SourceID, store.MillisOf(tx.Now())
		_, err := tx.Exec(s.q.AddMark, args)
		return true, contract.Completed, "Marked as read.", err
	case unreadOperation:
		article, _ := c.Metadata["article"].(string)
		if hash(c.Member.Subject, article) != c.TargetSource.SourceID {
			return false, contract.Rejected, "This mark belongs to another member.", nil
		}
		args["article"] = article
		_, err := tx.Exec(s.q.RemoveMark, args)
		return true, contract.Completed, "Marked as unread.", err
	case removeOperation:
		args["feed"] = numberOf(c)
		n, err := tx.Exec(s.q.RemoveFeed, args)
		if n == 0 {
			return true, contract.Rejected, "This feed is not one of yours.", err
		}
		return true, contract.Completed, "The feed was removed.", err
	case refreshOperation:
		ok, err := s.refresh(tx, c.Provider, numberOf(c))
		if !ok {
			return false, contract.Completed, fmt.Sprintf("The feed was updated a moment ago, or its server asks to wait. Try again in %d minute.", int(refreshInterval.Minutes())), err
		}
		return true, contract.Completed, "The feed is being updated.", err
	}
	return false, contract.Rejected, "There is no such operation.", nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"appliance/app"
	"appliance/app/setup"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"

	"github.com/spf13/cobra"
)

// hourLayout is the layout of times that are recorded with an accuracy of one hour.
const hourLayout = "2006-01-02 15:04"

func (c *cli) membersTokens() *cobra.Command {
	return c.memberCommand("tokens MEMBER", "List sessions and device passwords of a member", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		var result struct {
			Tokens  []identity.Token  `json:"tokens"`
			Devices []identity.Device `json:"device_passwords"`
		}
		err := a.DB.Read(ctx, func(tx *store.Tx) error {
			m, err := a.Identity.FindMember(tx, by, args[0])
			if err != nil {
				return err
			}
			if result.Tokens, err = a.Identity.Tokens(tx, m.ID); err != nil {
				return err
			}
			result.Devices, err = a.Identity.Devices(tx, m.ID)
			return err
		})
		if err != nil {
			return err
		}
		return c.print(result, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "TYPE\tNAME\tID\tCREATED\tLAST USED\tFROM")
			for _, t := range result.Tokens {
				fmt.Fprintf(table, "session\t%s\t%s\t%s\t%s\t%s\n", printableName(t.Label), t.ID, t.CreatedAt.Format(time.DateOnly), t.LastUsedAt.Format(hourLayout), t.Address)
			}
			for _, d := range result.Devices {
				fmt.Fprintf(table, "device password\t%s\t%s\t%s\t%s\t\n", printableName(d.Label), d.ID, d.CreatedAt.Format(time.DateOnly), formatLastSeen(d.LastUsedAt))
			}
			table.Flush()
		})
	})
}

func (c *cli) membersRevoke() *cobra.Command {
	var sessions bool
	var devices []string
	cmd := c.memberCommand("revoke MEMBER", "End all sessions of a member and remove the device passwords", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		r := identity.Revocation{Sessions: sessions, DeviceIDs: devices}
		if !sessions && len(devices) == 0 {
			r.Sessions, r.Devices = true, true
		}
		var after identity.AdminMember
		err := updateMember(ctx, a, by, args[0], func(tx *store.Tx, m identity.AdminMember) (err error) {
			after, err = a.Identity.Revoke(tx, by, m.ID, r)
			return err
		})
		if err != nil {
			return err
		}
		return c.printMember(after, after.Member)
	})
	cmd.Long = "End the access of a lost device: all sessions of MEMBER end, and all device passwords are removed. With\n" +
		"--sessions, only the sessions end; with --devices, only these device passwords are removed."
	cmd.Flags().BoolVar(&sessions, "sessions", false, "End the sessions.")
	cmd.Flags().StringSliceVar(&devices, "devices", nil, "`IDS` of device passwords to remove, as listed by tokens.")
	return cmd
}

func (c *cli) membersResetFactor() *cobra.Command {
	return c.memberCommand("reset-factor MEMBER", "Remove the second factors of a member who has lost them", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		var after identity.AdminMember
		err := updateMember(ctx, a, by, args[0], func(tx *store.Tx, m identity.AdminMember) (err error) {
			after, err = a.Identity.ResetFactor(tx, by, m.ID)
			return err
		})
		if err != nil {
			return err
		}
		return c.print(after, func(w io.Writer) {
			fmt.Fprintf(w, "%s signs in with the password alone now. All sessions are ended.\n", after.Username)
		})
	})
}

// membersPromote returns a command that calls set, which changes the operator
// rights of a member.
func (c *cli) membersPromote(use, short string, set func(*setup.Setup, context.Context, identity.Actor, identity.AdminMember) (identity.AdminMember, error)) *cobra.Command {
	cmd := c.memberCommand(use+" MEMBER", short, func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		var m identity.AdminMember
		err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
			m, err = a.Identity.FindMember(tx, by, args[0])
			return err
		})
		if err != nil {
			return err
		}
		if m, err = set(a.Setup, ctx, by, m); err != nil {
			return err
		}
		return c.print(m, func(w io.Writer) {
			if m.IsOperator {
				fmt.Fprintf(w, "%s is an operator.\n", m.Username)
			} else {
				fmt.Fprintf(w, "%s is not an operator.\n", m.Username)
			}
		})
	})
	cmd.Long = short + ". The change has effect at once, also in a running server. If the environment\n" +
		"or a flag sets the operators (admin-allowed-emails), the exit status is 4."
	return cmd
}

// defaultAuditEntries is the number of entries that audit prints by default.
const defaultAuditEntries = 100

func (c *cli) membersAudit() *cobra.Command {
	limit := defaultAuditEntries
	cmd := c.memberCommand("audit [MEMBER]", "List sign-ins and changes of accounts, newest first", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		if limit < 1 {
			return usageError{errors.New("--limit must be at least 1")}
		}
		list := svc.List[identity.AuditEntry]{}
		err := a.DB.Read(ctx, func(tx *store.Tx) error {
			var query identity.AuditQuery
			if len(args) > 0 {
				m, err := a.Identity.FindMember(tx, by, args[0])
				if err != nil {
					return err
				}
				query.Member = m.ID
			}
			for len(list) < limit {
				query.Limit = limit - len(list) // a page has at most svc.MaxLimit
				page, err := a.Identity.Audit(tx, by, query)
				if err != nil {
					return err
				}
				list = append(list, page.Entries...)
				if page.Page.NextCursor == nil {
					break
				}
				query.Cursor = *page.Page.NextCursor
			}
			return nil
		})
		if err != nil {
			return err
		}
		return c.print(list, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "TIME\tACTOR\tACTION\tMEMBER\tDETAIL")
			for _, e := range list {
				member := ""
				if e.Member != nil {
					member = e.Member.String()
				}
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", e.At.Format(time.RFC3339), e.Actor, e.Action, member, e.Detail)
			}
			table.Flush()
		})
	})
	cmd.Flags().IntVar(&limit, "limit", defaultAuditEntries, "Number of entries.")
	return cmd
}

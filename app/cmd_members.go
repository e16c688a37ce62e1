package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"

	"github.com/spf13/cobra"
)

// withServer opens the data directory for one command and closes it again. A
// server may be running beside it.
func (c *cli) withServer(ctx context.Context, settings *config.Settings, do func(*server) error) (err error) {
	db, err := store.Open(ctx, settings.Database(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s, err := assemble(db, settings, newLog(c.stderr, settings))
	if err != nil {
		return err
	}
	return do(s)
}

func (c *cli) adminCommand() *cobra.Command {
	admin := &cobra.Command{Use: "admin", Short: "Administer the server"}
	members := &cobra.Command{
		Use:   "members",
		Short: "Who lives here",
		Long:  "Everything about members. WHO is a number, a user name or an e-mail address.",
	}
	members.AddCommand(
		c.membersList(), c.membersShow(), c.membersAdd(), c.membersUpdate(),
		c.membersStatus("disable", "Shut a member out at once", identity.Disabled),
		c.membersStatus("enable", "Let a member in again", identity.Active),
		c.membersDelete(), c.membersReset(), c.membersTokens(), c.membersRevoke(), c.membersInvite(), c.membersExport(),
	)
	admin.AddCommand(members)
	return admin
}

// memberCommand makes a command whose work is do.
func (c *cli) memberCommand(use, short string, args cobra.PositionalArgs, do func(context.Context, *server, identity.Actor, []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			return c.withServer(cmd.Context(), settings, func(s *server) error {
				return do(cmd.Context(), s, identity.CommandLine(machineUser()), args)
			})
		},
	}
	return cmd
}

// machineUser is who the audit says used the command line.
func machineUser() string {
	u, err := user.Current()
	if err != nil {
		return "unknown"
	}
	return u.Username
}

// change runs fn on the member that who means, in one transaction.
func (s *server) change(ctx context.Context, by identity.Actor, who string, fn func(*store.Tx, identity.AdminMember) error) error {
	return s.db.Write(ctx, func(tx *store.Tx) error {
		m, err := s.identity.FindMember(tx, by, who)
		if err != nil {
			return err
		}
		return fn(tx, m)
	})
}

func (c *cli) printMember(m any, member identity.Member) error {
	return c.print(m, func(w io.Writer) {
		fmt.Fprintf(w, "%d  %s  %s  %s  %s\n", member.ID, member.Username, member.Email, plain(member.DisplayName), member.Status)
	})
}

func (c *cli) membersList() *cobra.Command {
	var query identity.MemberQuery
	var status string
	cmd := c.memberCommand("list", "List the members", cobra.NoArgs, func(ctx context.Context, s *server, by identity.Actor, _ []string) error {
		query.Status, query.Limit = identity.Status(status), svc.MaxLimit
		all := make([]identity.AdminMember, 0)
		err := s.db.Read(ctx, func(tx *store.Tx) error {
			for {
				page, err := s.identity.Members(tx, by, query)
				if err != nil {
					return err
				}
				all = append(all, page.Members...)
				if page.Page.NextCursor == nil {
					return nil
				}
				query.Cursor = *page.Page.NextCursor
			}
		})
		if err != nil {
			return err
		}
		return c.print(all, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "ID\tUSER NAME\tE-MAIL\tNAME\tSTATUS\tOPERATOR\tLAST SEEN")
			for _, m := range all {
				fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", m.ID, m.Username, m.Email, plain(m.DisplayName), m.Status, yes(m.IsOperator), seen(m.LastSeenAt))
			}
			table.Flush()
		})
	})
	cmd.Flags().StringVar(&query.Q, "q", "", "Part of a name or an address.")
	cmd.Flags().StringVar(&status, "status", "", "active, disabled or deleted.")
	return cmd
}

// plain is a name as a terminal may show it: one with characters that are not
// to be seen is quoted, and they are spelled out.
func plain(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) >= 0 {
		return strconv.QuoteToGraphic(name)
	}
	return name
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func seen(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.DateOnly)
}

func (c *cli) membersShow() *cobra.Command {
	return c.memberCommand("show WHO", "Show a member", cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		var m identity.AdminMember
		err := s.db.Read(ctx, func(tx *store.Tx) (err error) {
			m, err = s.identity.FindMember(tx, by, args[0])
			return err
		})
		if err != nil {
			return err
		}
		return c.print(m, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for _, line := range [][2]string{
				{"number", m.ID.String()}, {"user name", m.Username}, {"e-mail", m.Email}, {"name", plain(m.DisplayName)},
				{"status", string(m.Status)}, {"operator", yes(m.IsOperator)}, {"time zone", m.Timezone},
				{"since", m.CreatedAt.Format(time.DateOnly)}, {"last seen", seen(m.LastSeenAt)},
				{"signed in", fmt.Sprint(m.TokenCount, " times")},
			} {
				fmt.Fprintf(table, "%s\t%s\n", line[0], line[1])
			}
			table.Flush()
		})
	})
}

func (c *cli) membersAdd() *cobra.Command {
	var in identity.Registration
	var fromStdin bool
	cmd := c.memberCommand("add", "Add a member", cobra.NoArgs, func(ctx context.Context, s *server, by identity.Actor, _ []string) (err error) {
		if err := c.askWhoIsMissing(&in); err != nil {
			return err
		}
		if in.Password, err = c.password(fromStdin); err != nil {
			return err
		}
		applicant, err := s.identity.Prepare(ctx, in)
		if err != nil {
			return err
		}
		var m identity.Member
		err = s.db.Write(ctx, func(tx *store.Tx) (err error) {
			m, err = s.identity.AddMember(tx, by, applicant)
			return err
		})
		if err != nil {
			return err
		}
		return c.printMember(m, m)
	})
	memberFlags(cmd, &in)
	cmd.Flags().BoolVar(&fromStdin, "password-stdin", false, "Read the password from the first line of stdin.")
	return cmd
}

func (c *cli) membersUpdate() *cobra.Command {
	var email, username, name string
	var cmd *cobra.Command
	cmd = c.memberCommand("update WHO", "Change a member's address, user name or name", cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		var changes identity.Changes
		for flag, set := range map[string]func(){
			"email":        func() { changes.Email = &email },
			"username":     func() { changes.Username = &username },
			"display-name": func() { changes.DisplayName = &name },
		} {
			if cmd.Flags().Changed(flag) {
				set()
			}
		}
		if changes == (identity.Changes{}) {
			return usageError{errors.New("say what to change: --email, --username or --display-name")}
		}
		return c.update(ctx, s, by, args[0], changes)
	})
	cmd.Flags().StringVar(&email, "email", "", "New e-mail address.")
	cmd.Flags().StringVar(&username, "username", "", "New user name.")
	cmd.Flags().StringVar(&name, "display-name", "", "New name.")
	return cmd
}

func (c *cli) update(ctx context.Context, s *server, by identity.Actor, who string, changes identity.Changes) error {
	var after identity.AdminMember
	err := s.change(ctx, by, who, func(tx *store.Tx, m identity.AdminMember) (err error) {
		after, err = s.identity.Update(tx, by, m.ID, changes)
		return err
	})
	if err != nil {
		return err
	}
	return c.printMember(after, after.Member)
}

func (c *cli) membersStatus(use, short string, status identity.Status) *cobra.Command {
	return c.memberCommand(use+" WHO", short, cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		return c.update(ctx, s, by, args[0], identity.Changes{Status: &status})
	})
}

func (c *cli) membersDelete() *cobra.Command {
	var sure bool
	cmd := c.memberCommand("delete WHO", "Remove a member and their data, for good", cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		if !sure && c.terminal == nil {
			return usageError{errors.New("this cannot be undone: say --yes")}
		}
		if !sure {
			answer, err := c.ask("All data of "+args[0]+" will be gone, except in backups. Type the name again", false)
			if err != nil {
				return err
			}
			if answer != args[0] {
				return errors.New("nothing was deleted")
			}
		}
		var gone identity.AdminMember
		err := s.change(ctx, by, args[0], func(tx *store.Tx, m identity.AdminMember) error {
			gone = m
			return s.identity.Delete(tx, by, m.ID)
		})
		if err != nil {
			return err
		}
		if isTerminal(c.stderr) {
			fmt.Fprintln(c.stderr, "They are out. Deleting what they had stored; a running server does it too, if you interrupt this.")
		}
		if err := errors.Join(s.sweep(ctx), s.sweepMessages(ctx)); err != nil {
			return err
		}
		return c.print(map[string]any{"deleted": gone.ID}, func(w io.Writer) { fmt.Fprintf(w, "%s is deleted.\n", gone.Username) })
	})
	cmd.Flags().BoolVar(&sure, "yes", false, "Do not ask.")
	return cmd
}

func (c *cli) membersReset() *cobra.Command {
	return c.memberCommand("reset-password WHO", "Print a one-time link to choose a new password", cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		var link identity.ResetLink
		err := s.change(ctx, by, args[0], func(tx *store.Tx, m identity.AdminMember) (err error) {
			link, err = s.identity.AddResetLink(tx, by, m.ID)
			return err
		})
		if err != nil {
			return err
		}
		return c.printLink(s.settings.URL().String()+"/world/reset/"+link.Code, link.ExpiresAt)
	})
}

func (c *cli) printLink(url string, until time.Time) error {
	return c.print(map[string]any{"link": url, "expires_at": until}, func(w io.Writer) {
		fmt.Fprintln(w, url)
		c.say("It works once, until %s.", until.Local().Format("2 January 15:04"))
	})
}

func (c *cli) membersTokens() *cobra.Command {
	return c.memberCommand("tokens WHO", "Where a member is signed in", cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		var result struct {
			Tokens  []identity.Token  `json:"tokens"`
			Devices []identity.Device `json:"device_passwords"`
		}
		err := s.db.Read(ctx, func(tx *store.Tx) error {
			m, err := s.identity.FindMember(tx, by, args[0])
			if err != nil {
				return err
			}
			if result.Tokens, err = s.identity.Tokens(tx, m.ID); err != nil {
				return err
			}
			result.Devices, err = s.identity.Devices(tx, m.ID)
			return err
		})
		if err != nil {
			return err
		}
		return c.print(result, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "WHAT\tSINCE\tLAST USED")
			for _, t := range result.Tokens {
				fmt.Fprintf(table, "session: %s\t%s\t%s\n", plain(t.Label), t.CreatedAt.Format(time.DateOnly), t.LastUsedAt.Format(time.DateOnly))
			}
			for _, d := range result.Devices {
				fmt.Fprintf(table, "device: %s\t%s\t%s\n", plain(d.Label), d.CreatedAt.Format(time.DateOnly), seen(d.LastUsedAt))
			}
			table.Flush()
		})
	})
}

func (c *cli) membersRevoke() *cobra.Command {
	return c.memberCommand("revoke WHO", "End all sessions of a member", cobra.ExactArgs(1), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		return c.update(ctx, s, by, args[0], identity.Changes{RevokeTokens: true})
	})
}

func (c *cli) membersInvite() *cobra.Command {
	var email string
	cmd := c.memberCommand("invite", "Print a one-time link to become a member", cobra.NoArgs, func(ctx context.Context, s *server, by identity.Actor, _ []string) error {
		var i identity.NewInvitation
		err := s.db.Write(ctx, func(tx *store.Tx) (err error) {
			i, err = s.identity.Invite(tx, by, email)
			return err
		})
		if err != nil {
			return err
		}
		return c.printLink(s.inviteLink(i.Code), i.ExpiresAt)
	})
	cmd.Flags().StringVar(&email, "email", "", "The only address that can use it.")
	return cmd
}

func (c *cli) membersExport() *cobra.Command {
	return c.memberCommand("export WHO DIR", "Write all data of a member into a folder", cobra.ExactArgs(2), func(ctx context.Context, s *server, by identity.Actor, args []string) error {
		ctx, cancel := context.WithTimeout(ctx, exportTime)
		defer cancel()
		files := 0
		err := s.db.Read(ctx, func(tx *store.Tx) error {
			m, err := s.identity.FindMember(tx, by, args[0])
			if err == nil {
				files, err = s.exportTo(tx, m.ID, args[1])
			}
			return err
		})
		if err != nil {
			return err
		}
		return c.print(map[string]any{"directory": args[1], "files": files}, func(w io.Writer) {
			fmt.Fprintf(w, "Files written to %s: %d\n", args[1], files)
		})
	})
}

// exportTime bounds how long an export may take.
const exportTime = 30 * time.Minute

// exportTo writes the export as files: the entries of calendars are a file
// each, as calendar programs read them, what is beside them is a file for each
// part, and one has all the rest.
func (s *server) exportTo(tx *store.Tx, id svc.MemberID, dir string) (files int, err error) {
	if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
		return 0, svc.Errorf(svc.AlreadyExists, "%s is not empty. Name a folder that is, or a new one.", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	put := func(name, text string) error {
		files++
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o600)
	}
	type one struct {
		Calendar calendar.Calendar `json:"calendar"`
	}
	var all struct {
		export
		Calendars []one `json:"calendars"`
	}
	if all.export, err = s.export(tx, id); err != nil {
		return 0, err
	}
	inside, entries := "", 0
	err = s.calendar.Export(tx, id, func(c calendar.Calendar) error {
		all.Calendars = append(all.Calendars, one{c})
		inside, entries = filepath.Join(dir, "calendars", c.ID), 0
		return nil
	}, func(entry calendar.ExportedObject) error {
		entries++
		return put(filepath.Join(inside, fmt.Sprintf("%05d.ics", entries)), entry.Data)
	})
	if err != nil {
		return files, err
	}
	for _, part := range s.exportParts(tx, id) {
		files++
		if err := exportPartTo(filepath.Join(dir, part.name+".json"), part); err != nil {
			return files, err
		}
	}
	text, err := svc.EncodeJSON(all)
	if err != nil {
		return files, err
	}
	return files, put(filepath.Join(dir, "member.json"), string(text))
}

// exportPartTo writes one list of an export to a file.
func exportPartTo(name string, part exportPart) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := exportWriter{w: f}
	out.text("[")
	if err := out.list(part.show); err != nil {
		return err
	}
	out.text("]\n")
	return out.err
}

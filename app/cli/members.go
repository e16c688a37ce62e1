package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/user"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"appliance/app"
	"appliance/app/config"
	"appliance/app/health"
	"appliance/app/setup"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/storage"
	"appliance/svc/words"

	"github.com/spf13/cobra"
)

// withApp assembles the program and calls do with it. A server may be running on
// the same data directory; links then contain its address.
func (c *cli) withApp(ctx context.Context, settings *config.Settings, do func(*app.App) error) (err error) {
	if c.isServerRunning, err = settings.UseServerAddress(); err != nil {
		return err
	}
	db, err := store.Open(ctx, settings.Database(), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	log, _ := newLog(c.stderr, settings)
	a, err := app.Assemble(db, settings, log)
	if err != nil {
		return err
	}
	return do(a)
}

// runWithApp returns the function of a command that runs do with the assembled program.
func (c *cli) runWithApp(do func(ctx context.Context, a *app.App, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		settings, err := c.settings(cmd)
		if err != nil {
			return err
		}
		return c.withApp(cmd.Context(), settings, func(a *app.App) error { return do(cmd.Context(), a, args) })
	}
}

func (c *cli) adminCommand() *cobra.Command {
	admin := &cobra.Command{Use: "admin", Short: "Administer the server"}
	members := &cobra.Command{
		Use:   "members",
		Short: "Administer members",
		Long:  "List, add, change and delete members. MEMBER is a number, a user name or an e-mail address.",
	}
	members.AddCommand(
		c.membersList(), c.membersShow(), c.membersAdd(), c.membersUpdate(),
		c.membersStatus("disable", "Disable a member: all access ends at once", identity.Disabled),
		c.membersStatus("enable", "Enable a disabled member", identity.Active),
		c.membersDelete(), c.membersReset(), c.membersResetFactor(), c.membersTokens(), c.membersRevoke(), c.membersInvite(), c.membersExport(),
		c.membersPromote("promote", "Make a member an operator, at once", (*setup.Setup).Promote),
		c.membersPromote("demote", "Remove the operator rights of a member, at once", (*setup.Setup).Demote),
		c.membersAudit(),
	)
	admin.AddCommand(members)
	return admin
}

// memberCommand returns a command that runs do with the assembled program.
func (c *cli) memberCommand(use, short string, do func(context.Context, *app.App, identity.Actor, []string) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			return c.withApp(cmd.Context(), settings, func(a *app.App) error {
				return do(cmd.Context(), a, identity.CommandLine(machineUser()), args)
			})
		},
	}
	return cmd
}

// machineUser returns the name that the audit log records for the command line.
func machineUser() string {
	u, err := user.Current()
	if err != nil {
		return "unknown"
	}
	return u.Username
}

// updateMember finds a member and runs fn in the same transaction.
func updateMember(ctx context.Context, a *app.App, by identity.Actor, member string, fn func(*store.Tx, identity.AdminMember) error) error {
	return a.DB.Write(ctx, func(tx *store.Tx) error {
		m, err := a.Identity.FindMember(tx, by, member)
		if err != nil {
			return err
		}
		return fn(tx, m)
	})
}

func (c *cli) printMember(m any, member identity.Member) error {
	return c.print(m, func(w io.Writer) {
		fmt.Fprintf(w, "%d  %s  %s  %s  %s\n", member.ID, member.Username, member.Email, printableName(member.DisplayName), member.Status)
	})
}

func (c *cli) membersList() *cobra.Command {
	var query identity.MemberQuery
	var status string
	cmd := c.memberCommand("list", "List the members", func(ctx context.Context, a *app.App, by identity.Actor, _ []string) error {
		query.Status = identity.Status(status)
		all, err := allMembers(ctx, a, by, query)
		if err != nil {
			return err
		}
		return c.print(all, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "ID\tUSER NAME\tE-MAIL ADDRESS\tDISPLAY NAME\tSTATUS\tOPERATOR\tSECOND FACTOR\tLAST SEEN")
			for _, m := range all {
				fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.ID, m.Username, m.Email, printableName(m.DisplayName), m.Status, yesNo(m.IsOperator), yesNo(m.SecondFactor), formatLastSeen(m.LastSeenAt))
			}
			table.Flush()
		})
	})
	cmd.Flags().StringVar(&query.Q, "q", "", "Part of a name or an e-mail address.")
	cmd.Flags().StringVar(&status, "status", "", "active, disabled or deleted.")
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]cobra.Completion{"active", "disabled", "deleted"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// printableName returns a name that is safe to print on a terminal: if a name
// contains invisible characters, it is quoted with these characters escaped.
func printableName(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) >= 0 {
		return strconv.QuoteToGraphic(name)
	}
	return name
}

// zoneText returns the name of the time zone of a member.
func zoneText(z svc.ZoneInUse) string {
	if z.Source == svc.ZoneOfServer {
		return z.Timezone + " (of the server, until a browser of the member reports one)"
	}
	return z.Timezone
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func formatLastSeen(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.DateOnly)
}

func (c *cli) membersShow() *cobra.Command {
	return c.memberCommand("show MEMBER", "Show a member", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		var m struct {
			identity.AdminMember
			Storage storage.Usage `json:"storage"`
		}
		err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
			if m.AdminMember, err = a.Identity.FindMember(tx, by, args[0]); err != nil {
				return err
			}
			m.Storage, err = a.Storage.Usage(tx, m.ID)
			return err
		})
		if err != nil {
			return err
		}
		return c.print(m, func(w io.Writer) {
			table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for _, line := range [][2]string{
				{"number", m.ID.String()}, {"user name", m.Username}, {"e-mail address", m.Email}, {"display name", printableName(m.DisplayName)},
				{"status", string(m.Status)}, {"operator", yesNo(m.IsOperator)}, {"second factor", yesNo(m.SecondFactor)}, {"time zone", zoneText(m.Zone)},
				{"created", m.CreatedAt.Format(time.DateOnly)}, {"last seen", formatLastSeen(m.LastSeenAt)},
				{"sessions", fmt.Sprint(m.TokenCount)}, {"storage", m.Storage.String()},
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
	cmd := c.memberCommand("add", "Add a member", func(ctx context.Context, a *app.App, by identity.Actor, _ []string) (err error) {
		if err := c.completeRegistration(&in); err != nil {
			return err
		}
		if in.Password, err = c.newPassword(fromStdin, in.Email); err != nil {
			return err
		}
		applicant, err := a.Identity.Prepare(ctx, in)
		if err != nil {
			return err
		}
		var m identity.Member
		err = a.DB.Write(ctx, func(tx *store.Tx) (err error) {
			m, err = a.Identity.AddMember(tx, by, applicant)
			return err
		})
		if err != nil {
			return err
		}
		return c.printMember(m, m)
	})
	memberFlags(cmd, &in)
	cmd.Flags().BoolVar(&fromStdin, "password-stdin", false, "Read the password from the first line of standard input.")
	return cmd
}

func (c *cli) membersUpdate() *cobra.Command {
	var email, username, name string
	var cmd *cobra.Command
	cmd = c.memberCommand("update MEMBER", "Change the e-mail address, user name or display name of a member", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
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
			return usageError{errors.New("nothing to change: use --email, --username or --display-name")}
		}
		return c.update(ctx, a, by, args[0], changes)
	})
	cmd.Flags().StringVar(&email, "email", "", "New e-mail address.")
	cmd.Flags().StringVar(&username, "username", "", "New user name.")
	cmd.Flags().StringVar(&name, "display-name", "", "New display name.")
	return cmd
}

func (c *cli) update(ctx context.Context, a *app.App, by identity.Actor, member string, changes identity.Changes) error {
	var after identity.AdminMember
	err := updateMember(ctx, a, by, member, func(tx *store.Tx, m identity.AdminMember) (err error) {
		after, err = a.Identity.Update(tx, by, m.ID, changes)
		return err
	})
	if err != nil {
		return err
	}
	return c.printMember(after, after.Member)
}

func (c *cli) membersStatus(use, short string, status identity.Status) *cobra.Command {
	return c.memberCommand(use+" MEMBER", short, func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		return c.update(ctx, a, by, args[0], identity.Changes{Status: &status})
	})
}

func (c *cli) membersDelete() *cobra.Command {
	var confirmed bool
	cmd := c.memberCommand("delete MEMBER", "Delete a member with all data, irrevocably", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		if !confirmed && c.terminal == nil {
			return usageError{errors.New("deletion cannot be undone: confirm with --yes")}
		}
		if !confirmed {
			answer, err := c.ask("This deletes all data of "+args[0]+", except in backups. Type the name to confirm", false)
			if err != nil {
				return err
			}
			if answer != args[0] {
				return errors.New("not confirmed: nothing was deleted")
			}
		}
		var deleted identity.AdminMember
		err := updateMember(ctx, a, by, args[0], func(tx *store.Tx, m identity.AdminMember) error {
			deleted = m
			return a.Identity.Delete(tx, by, m.ID)
		})
		if err != nil {
			return err
		}
		if isTerminal(c.stderr) {
			fmt.Fprintln(c.stderr, "The member is deleted. Removing the stored data; if interrupted, the server continues.")
		}
		if err := errors.Join(a.DeleteMemberData(ctx), a.FollowUp(ctx), a.SweepCalendars(ctx)); err != nil {
			return err
		}
		return c.print(map[string]any{"deleted": deleted.ID}, func(w io.Writer) { fmt.Fprintf(w, "%s is deleted.\n", deleted.Username) })
	})
	cmd.Flags().BoolVar(&confirmed, "yes", false, "Do not ask for confirmation.")
	return cmd
}

func (c *cli) membersReset() *cobra.Command {
	return c.memberCommand("reset-password MEMBER", "Print a one-time link to set a new password", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		var link identity.ResetLink
		err := updateMember(ctx, a, by, args[0], func(tx *store.Tx, m identity.AdminMember) (err error) {
			link, err = a.Identity.AddResetLink(tx, by, m.ID)
			return err
		})
		if err != nil {
			return err
		}
		return c.printLink(a.Settings, "/world/reset/"+link.Code, link.ExpiresAt)
	})
}

// printLink prints a one-time link and, on standard error, until when and on which
// machines it works.
func (c *cli) printLink(settings *config.Settings, path string, until time.Time) error {
	link := settings.Link(path)
	err := c.print(map[string]any{"link": link, "expires_at": until}, func(w io.Writer) {
		fmt.Fprintln(w, link)
		c.printMessage("The link works once, until %s.", until.Local().Format("2 January 15:04"))
	})
	if !c.isServerRunning {
		c.printMessage("No server is running on %s. The link contains the address in the settings.", settings.Data)
	}
	c.warnOfReach(settings, settings.URL())
	return err
}

// warnOfReach prints why other devices may not be able to connect to the server at base, and what to do.
func (c *cli) warnOfReach(settings *config.Settings, base *url.URL) {
	if text := health.Text(health.Reach(settings, base, len(settings.TrustedProxies) > 0), words.English); text != "" {
		c.printMessage("WARNING: %s", text)
	}
}

func (c *cli) membersInvite() *cobra.Command {
	var email string
	cmd := c.memberCommand("invite", "Print a one-time invitation link", func(ctx context.Context, a *app.App, by identity.Actor, _ []string) error {
		var i identity.NewInvitation
		err := a.DB.Write(ctx, func(tx *store.Tx) (err error) {
			i, err = a.Identity.Invite(tx, by, email)
			return err
		})
		if err != nil {
			return err
		}
		return c.printLink(a.Settings, "/world/invite/"+i.Code, i.ExpiresAt)
	})
	cmd.Flags().StringVar(&email, "email", "", "E-mail address of the invitee; no other can use the link.")
	return cmd
}

func (c *cli) membersExport() *cobra.Command {
	return c.memberCommand("export MEMBER DIR", "Export all data of a member into a directory", func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
		ctx, cancel := context.WithTimeout(ctx, exportTime)
		defer cancel()
		var id svc.MemberID
		err := updateMember(ctx, a, by, args[0], func(tx *store.Tx, m identity.AdminMember) error {
			id = m.ID
			return a.Identity.RecordExport(tx, by, id)
		})
		if err != nil {
			return err
		}
		files := 0
		err = a.DB.Read(ctx, func(tx *store.Tx) (err error) {
			files, err = a.Exporter.WriteFiles(tx, id, args[1])
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

// exportTime limits the duration of an export.
const exportTime = 30 * time.Minute

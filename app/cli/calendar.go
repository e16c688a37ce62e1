package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"appliance/app"
	"appliance/app/transfer"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"

	"github.com/spf13/cobra"
)

func (c *cli) calendarCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calendar",
		Short: "Import, export and restore calendars",
		Long:  "Calendars of members. MEMBER is a number, a user name or an e-mail address.",
	}
	cmd.AddCommand(c.calendarImport(), c.calendarExport(), c.calendarTrash(), c.calendarRestore())
	return cmd
}

// viewerOf finds an active member by number, user name or e-mail address and
// returns the member as a viewer.
func viewerOf(ctx context.Context, a *app.App, by identity.Actor, member string) (v svc.Viewer, err error) {
	err = a.DB.Read(ctx, func(tx *store.Tx) error {
		m, err := a.Identity.FindMember(tx, by, member)
		if err == nil && m.Status != identity.Active {
			err = svc.Errorf(svc.PermissionDenied, "%s is %s. Enable the member first: appliance admin members enable %s", m.DisplayName, m.Status, member)
		}
		if err == nil {
			v, err = a.Identity.OnBehalf(tx, m.ID)
		}
		return err
	})
	return v, err
}

func (c *cli) calendarImport() *cobra.Command {
	var from, user, into string
	var passwordStdin bool
	cmd := c.memberCommand("import MEMBER [FILE.ics|DIR]", "Import calendars from a file, a directory or another server",
		func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
			if (from == "") == (len(args) < 2) {
				return usageError{errors.New("name one source: a file, a directory or --from URL")}
			}
			v, err := viewerOf(ctx, a, by, args[0])
			if err != nil {
				return err
			}
			sources := &transfer.Sources{
				Importer: transfer.NewImporter(a.DB, a.Calendar, v), Into: into, Dir: a.Settings.Data, Progress: c.progress, Log: c.printMessage,
			}
			defer sources.Close()
			if from != "" {
				err = c.readServer(ctx, sources, from, user, passwordStdin)
			} else {
				err = sources.ReadPath(ctx, args[1])
			}
			if err == nil {
				err = sources.Import(ctx)
			}
			return c.printImport(sources, err)
		})
	cmd.Long = "Import calendars for MEMBER. A source with a name goes into the calendar of that name, which is created if it\n" +
		"does not exist. A source without a name goes into the default calendar. Existing entries change only if the\n" +
		"source has a later revision, so an import can be repeated. From a directory, all .ics files are read; each\n" +
		"subdirectory is a calendar. The directory can be an export of a member."
	cmd.Flags().StringVar(&from, "from", "", "Address of a CalDAV `server` to import from.")
	cmd.Flags().StringVar(&user, "user", "", "User `name` on that server.")
	cmd.Flags().BoolVar(&passwordStdin, "password-stdin", false, "Read the password for that server from standard input.")
	cmd.Flags().StringVar(&into, "calendar", "", "`Name` of the calendar to import everything into.")
	return cmd
}

// readServer reads the calendars of a user of another server.
func (c *cli) readServer(ctx context.Context, sources *transfer.Sources, address, user string, passwordStdin bool) error {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return usageError{fmt.Errorf("--from: %q is not an address such as https://calendar.example.org", address)}
	}
	password, err := c.password(passwordStdin, nil)
	if err != nil {
		return err
	}
	return sources.ReadServer(ctx, at, user, password)
}

// printImport prints the result of an import. It returns err, the error of the
// import, or an error if entries were refused.
func (c *cli) printImport(sources *transfer.Sources, err error) error {
	report := sources.Report()
	result := struct {
		Calendars svc.List[string] `json:"calendars"`
		calendar.ImportReport
	}{sources.Names(), report}
	printErr := c.print(result, func(w io.Writer) {
		for _, r := range report.Refused {
			fmt.Fprintln(w, r)
		}
		for _, sentence := range report.Sentences {
			fmt.Fprintln(w, sentence)
		}
	})
	if err == nil && report.RefusedCount > 0 {
		err = fmt.Errorf("not imported: %d", report.RefusedCount)
	}
	return errors.Join(err, printErr)
}

func (c *cli) calendarExport() *cobra.Command {
	cmd := c.memberCommand("export MEMBER DIR", "Export each calendar into a file",
		func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
			v, err := viewerOf(ctx, a, by, args[0])
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[1], 0o700); err != nil {
				return err
			}
			var files svc.List[string]
			err = a.DB.Read(ctx, func(tx *store.Tx) (err error) {
				files, err = transfer.WriteCalendars(tx, a.Calendar, v, args[1])
				return err
			})
			if err != nil {
				return err
			}
			return c.print(map[string]any{"directory": args[1], "files": files}, func(w io.Writer) {
				for _, name := range files {
					fmt.Fprintln(w, filepath.Join(args[1], name))
				}
			})
		})
	cmd.Long = "Write each calendar of MEMBER as an iCalendar file into DIR. The files have the names of the calendars; existing\n" +
		"files are replaced."
	return cmd
}

func (c *cli) calendarTrash() *cobra.Command {
	return c.memberCommand("trash MEMBER", "List entries and calendars deleted in the last 30 days",
		func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
			v, err := viewerOf(ctx, a, by, args[0])
			if err != nil {
				return err
			}
			var all svc.List[calendar.TrashEntry]
			err = a.DB.Read(ctx, func(tx *store.Tx) error {
				for cursor := ""; ; {
					page, err := a.Calendar.Trash(tx, v, svc.MaxLimit, cursor)
					if err != nil {
						return err
					}
					all = append(all, page.Trash...)
					if page.Page.NextCursor == nil {
						return nil
					}
					cursor = *page.Page.NextCursor
				}
			})
			if err != nil {
				return err
			}
			return c.print(all, func(w io.Writer) {
				table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tTYPE\tTITLE\tCALENDAR\tDELETED\tPURGED")
				for _, t := range all {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.ObjectType, t.Title, t.CalendarName, t.DeletedAt.Format(time.RFC3339), t.ExpiresAt.Format(time.RFC3339))
				}
				table.Flush()
			})
		})
}

func (c *cli) calendarRestore() *cobra.Command {
	return c.memberCommand("restore MEMBER ID", "Restore an entry, or a calendar with its entries",
		func(ctx context.Context, a *app.App, by identity.Actor, args []string) error {
			v, err := viewerOf(ctx, a, by, args[0])
			if err != nil {
				return err
			}
			var title string
			err = a.DB.Write(ctx, func(tx *store.Tx) error {
				o, cal, err := a.Calendar.Restore(tx, v, args[1], "")
				switch {
				case o != nil:
					title = o.Title
				case cal != nil:
					title = cal.Name
				}
				return err
			})
			if err != nil {
				return err
			}
			return c.print(map[string]string{"id": args[1], "title": title}, func(w io.Writer) {
				fmt.Fprintf(w, "%s is restored.\n", title)
			})
		})
}

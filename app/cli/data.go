package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"appliance/app"
	"appliance/store"

	"github.com/spf13/cobra"
)

func (c *cli) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Back up the database, also while the server runs",
		Long: "Copy the database into FILE; the server may be running. The copy is verified before it is renamed to FILE,\n" +
			"which is replaced if it exists.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if _, err := os.Stat(settings.Database()); err != nil {
				return fmt.Errorf("there is no database to back up: %w", err)
			}
			if err := store.Backup(cmd.Context(), settings.Database(), args[0], c.progress("Copying")); err != nil {
				return err
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			result := struct {
				File  string `json:"file"`
				Bytes int64  `json:"bytes"`
			}{args[0], info.Size()}
			return c.print(result, func(w io.Writer) {
				fmt.Fprintf(w, "%s: %d bytes, verified\n", result.File, result.Bytes)
			})
		},
	}
}

func (c *cli) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the database by a backup",
		Long: "Verify FILE and replace the database by it. Stop the server first. The previous database is kept in the\n" +
			"directory backups of the data directory.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			unlock, err := store.Lock(settings.Data)
			if err != nil {
				return err
			}
			defer unlock()
			if err := settings.MakeBackups(); err != nil {
				return err
			}
			kept, err := store.Restore(cmd.Context(), args[0], settings.Database(), settings.Backups())
			if err != nil {
				return err
			}
			result := struct {
				Restored string `json:"restored"`
				Kept     string `json:"kept"` // path of the previous database; "" if there was none
			}{args[0], kept}
			return c.print(result, func(w io.Writer) {
				fmt.Fprintf(w, "Restored %s.\n", result.Restored)
				if result.Kept != "" {
					fmt.Fprintf(w, "The previous database is in %s.\n", result.Kept)
				}
				c.say("Sessions and device passwords are those of the backup, including those revoked since.")
			})
		},
	}
}

func (c *cli) migrateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Migrate the database without serving",
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "status",
		Short: "List pending migrations",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			status, err := store.Inspect(cmd.Context(), settings.Database())
			if err != nil {
				return err
			}
			return c.print(status, func(w io.Writer) {
				switch {
				case !status.Exists:
					fmt.Fprintf(w, "There is no database at %s.\n", status.Path)
				case len(status.Pending) == 0:
					fmt.Fprintf(w, "%s is up to date (schema %d).\n", status.Path, status.Version)
				default:
					fmt.Fprintf(w, "%s has schema %d; pending migrations: %d\n", status.Path, status.Version, len(status.Pending))
					for _, m := range status.Pending {
						fmt.Fprintf(w, "  %04d %s\n", m.Version, m.Name)
					}
				}
			})
		},
	}, &cobra.Command{
		Use:   "up",
		Short: "Back up the database and apply pending migrations",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			unlock, err := store.Lock(settings.Data)
			if err != nil {
				return err
			}
			defer unlock()
			db, err := app.OpenDatabase(cmd.Context(), settings, func(m store.Migration) { c.say("%04d %s", m.Version, m.Name) })
			if err != nil {
				return err
			}
			if err := db.Close(); err != nil {
				return err
			}
			status, err := store.Inspect(cmd.Context(), settings.Database())
			if err != nil {
				return err
			}
			return c.print(status, func(w io.Writer) {
				fmt.Fprintf(w, "%s is up to date (schema %d).\n", status.Path, status.Version)
			})
		},
	})
	return cmd
}

// isLocked reports whether err means that another process serves the data
// directory.
func isLocked(err error) bool { return errors.Is(err, store.ErrLocked) }

// progress returns a function that shows the progress of a step on the
// terminal, or nil without a terminal.
func (c *cli) progress(step string) func(done, total int64) {
	if !isTerminal(c.stderr) {
		return nil
	}
	return func(done, total int64) {
		fmt.Fprintf(c.stderr, "\r%s: %3d %%", step, 100*done/max(total, 1))
		if done == total {
			fmt.Fprintln(c.stderr)
		}
	}
}

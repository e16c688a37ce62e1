package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"appliance/app"
	"appliance/app/backups"
	"appliance/app/config"
	"appliance/store"

	"github.com/spf13/cobra"
)

func (c *cli) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Back up the database, also while the server runs",
		Long: "Copy the database into FILE; the server may be running. The copy is verified before it is renamed to FILE,\n" +
			"which is replaced if it exists. It also contains the settings, without keys. It contains no map data, unless\n" +
			"the setting backup-maps is on: restore says what to import again.",
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if _, err := os.Stat(settings.Database()); err != nil {
				return fmt.Errorf("there is no database to back up: %w", err)
			}
			contents, err := c.backUp(cmd.Context(), settings, args[0])
			if err != nil {
				return err
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			result := struct {
				File  string `json:"file"`
				Bytes int64  `json:"bytes"`
				Maps  bool   `json:"maps"` // whether it contains map data
			}{args[0], info.Size(), contents.Maps}
			return c.print(result, func(w io.Writer) {
				fmt.Fprintf(w, "%s: %d bytes, verified\n", result.File, result.Bytes)
				if !contents.Maps {
					fmt.Fprintln(w, "It contains all data of members and the settings without keys, and no map data (see appliance help backups).")
				}
			})
		},
	}
}

// backUp writes a backup to dest. A database that the server must first migrate is copied as a
// whole.
func (c *cli) backUp(ctx context.Context, settings *config.Settings, dest string) (contents backups.Contents, err error) {
	status, err := store.Inspect(ctx, settings.Database())
	if err != nil {
		return contents, err
	}
	var o store.BackupOptions
	if contents.Maps = true; len(status.Pending) == 0 {
		err = c.withApp(ctx, settings, func(a *app.App) error {
			contents, err = a.BackupContents(ctx)
			return err
		})
		if err != nil {
			return contents, err
		}
		if o, err = contents.Options(); err != nil {
			return contents, err
		}
	}
	return contents, store.Backup(ctx, settings.Database(), dest, o, c.progress("Copying"))
}

func (c *cli) restoreCommand() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the database by a backup",
		Long: "Verify FILE and replace the database by it. Stop the server first. The previous database is kept in the\n" +
			"directory backups of the data directory. Settings of the backup that are not set here are added to the\n" +
			"settings file; differences and what is missing are listed. A backup does not contain the key of\n" +
			"authenticator apps: the file second-factor.key of the data directory. On another machine, pass a copy of\n" +
			"it with --factor-key.",
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			unlock, err := store.Lock(settings.Database())
			if err != nil {
				return err
			}
			defer unlock()
			if err := settings.MakeBackupDir(); err != nil {
				return err
			}
			if key != "" {
				if err := installFactorKey(settings, key); err != nil {
					return err
				}
			}
			previous, err := store.Restore(cmd.Context(), args[0], settings.Database(), settings.BackupDir())
			if err != nil {
				return adviseRestore(err, previous)
			}
			settings, err = c.reportRestore(cmd, settings, args[0], previous)
			return errors.Join(err, c.checkFactorKey(cmd.Context(), settings))
		},
	}
	cmd.Flags().StringVar(&key, "factor-key", "", "`FILE` with the key of authenticator apps: a copy of second-factor.key of the server that made the backup.")
	return cmd
}

// adviseRestore adds to the error of a restore what happened to the database, and what to do.
// previous is the file in which the previous database was saved, "" if nothing was changed.
func adviseRestore(err error, previous string) error {
	advice := "The database was not changed."
	if previous != "" {
		advice = "The previous database is in " + previous + "."
	}
	switch {
	case errors.Is(err, store.ErrForeign):
		advice += " Choose a file that appliance backup has written; if it is compressed, unpack it first."
	case store.IsDamage(err):
		advice += " Copy the file again from where it was made, or choose another backup."
	default:
		advice += " " + store.ExplainAccess(err)
	}
	return advisedError{err, strings.TrimSpace(advice)}
}

// installFactorKey copies a key file of second factors into the data directory. It
// does not replace a different key.
func installFactorKey(settings *config.Settings, file string) error {
	key, err := config.ReadFactorKey(file)
	if err != nil {
		return usageError{fmt.Errorf("--factor-key: %w", err)}
	}
	existing, err := settings.FactorKey(false)
	switch {
	case err != nil:
		return err
	case bytes.Equal(existing, key):
		return nil
	case existing != nil:
		return fmt.Errorf("%s contains another key: move it away first", settings.FactorKeyFile())
	}
	return config.WriteFactorKey(settings.FactorKeyFile(), key)
}

// checkFactorKey checks that the key of second factors opens the secrets of the
// restored database. On a terminal it asks for the key file. Without the key, it
// explains the consequences.
func (c *cli) checkFactorKey(ctx context.Context, settings *config.Settings) error {
	status, err := store.Inspect(ctx, settings.Database())
	if err != nil || len(status.Pending) > 0 {
		return err // the key can be checked only after the server has migrated the database
	}
	for {
		var total, unreadable int
		err := c.withApp(ctx, settings, func(a *app.App) error {
			return a.DB.Read(ctx, func(tx *store.Tx) (err error) {
				total, unreadable, err = a.Identity.SealedSecrets(tx)
				return err
			})
		})
		if err != nil || unreadable == 0 {
			return err
		}
		c.printMessage("%d of %d authenticator apps cannot be checked without the file second-factor.key of the server that made the backup.", unreadable, total)
		if c.terminal != nil {
			file, err := c.ask("Path of that file (empty: continue without it)", false)
			if err != nil {
				return err
			}
			if file != "" {
				if err := installFactorKey(settings, file); err != nil {
					c.printMessage("%v", err)
				}
				continue
			}
		}
		c.printMessage("Their members need a recovery code or a passkey to sign in. Copy the file to %s, or remove their second factors with appliance admin members reset-factor.", settings.FactorKeyFile())
		return nil
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			unlock, err := store.Lock(settings.Database())
			if err != nil {
				return err
			}
			defer unlock()
			db, err := app.OpenDatabase(cmd.Context(), settings, func(m store.Migration) { c.printMessage("%04d %s", m.Version, m.Name) })
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

// progress returns a function that shows the progress of a step on the terminal, or
// nil if standard error is not a terminal.
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

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"appliance/app"
	"appliance/app/backups"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// restoreReport is the result of the command restore.
type restoreReport struct {
	Restored  string                   `json:"restored"`
	Previous  string                   `json:"kept"` // path of the previous database; "" if there was none
	Settings  config.Comparison        `json:"settings"`
	Rejected  string                   `json:"settings_error"` // why settings were not taken; "" if they were
	File      string                   `json:"settings_file"`
	HasMaps   bool                     `json:"maps"`    // the backup contains the map data
	Regions   svc.List[backups.Region] `json:"regions"` // of which it contains no data: import them again
	Operators *identity.OperatorStatus `json:"operators"`
}

// reportRestore takes the settings of the backup, applies the setting of the operators, and prints
// the report. It returns the settings that are then in use.
func (c *cli) reportRestore(cmd *cobra.Command, settings *config.Settings, file, previous string) (*config.Settings, error) {
	r := restoreReport{Restored: file, Previous: previous, File: settings.File(), HasMaps: true}
	contents, described, err := backups.ReadContents(cmd.Context(), file)
	if err != nil {
		return settings, err
	}
	if described {
		if r.HasMaps = contents.Maps; !r.HasMaps {
			r.Regions = contents.Regions
		}
		r.Settings = settings.Compare(contents.Settings, contents.Keys)
		if settings, err = c.takeSettings(cmd, settings, r.Settings.Taken); err != nil {
			r.Rejected = err.Error()
		}
	}
	r.Operators, err = c.takeOperators(cmd.Context(), settings)
	return settings, errors.Join(c.print(r, func(w io.Writer) { c.printRestore(w, r) }), err)
}

// takeSettings adds settings to the settings file and returns the settings that are then in use. If
// they cannot be used, it restores the previous file.
func (c *cli) takeSettings(cmd *cobra.Command, settings *config.Settings, list []config.Setting) (*config.Settings, error) {
	if len(list) == 0 {
		return settings, nil
	}
	undo, err := config.AddToFile(settings.File(), list)
	if err != nil {
		return settings, err
	}
	next, err := c.settings(cmd)
	if err != nil {
		return settings, errors.Join(err, undo())
	}
	return next, nil
}

// takeOperators applies the setting of the operators to the restored database. It returns nil if the
// server must first migrate the database.
func (c *cli) takeOperators(ctx context.Context, settings *config.Settings) (*identity.OperatorStatus, error) {
	status, err := store.Inspect(ctx, settings.Database())
	if err != nil || len(status.Pending) > 0 {
		return nil, err
	}
	var operators identity.OperatorStatus
	err = c.withApp(ctx, settings, func(a *app.App) error {
		return a.DB.Write(ctx, func(tx *store.Tx) error {
			if operators, err = a.Identity.OperatorStatus(tx); err != nil {
				return err
			}
			if operators.Source != "" && settings.OperatorsSource() == "" { // the server may have the variable
				return nil
			}
			if err := a.Identity.TakeOperators(tx); err != nil {
				return err
			}
			operators, err = a.Identity.OperatorStatus(tx)
			return err
		})
	})
	return &operators, err
}

// printRestore prints the report: results on standard output, notices and warnings on standard
// error.
func (c *cli) printRestore(w io.Writer, r restoreReport) {
	fmt.Fprintf(w, "Restored %s.\n", r.Restored)
	if r.Previous != "" {
		fmt.Fprintf(w, "The previous database is in %s.\n", r.Previous)
	}
	c.printSettings(w, r)
	if !r.HasMaps {
		fmt.Fprintln(w, "The backup contains no map data. The server loads the towns of the world when it starts.")
		for _, region := range r.Regions {
			fmt.Fprintf(w, "  Import again: appliance maps import FILE --name %s   (%s, %d MB, imported on %s)\n",
				region.Name, region.Format, (region.FileSize+999_999)/1_000_000, region.ImportedAt.UTC().Format(time.DateOnly))
		}
	}
	c.printMessage("Sessions and device passwords are those of the backup, including those revoked since.")
	switch o := r.Operators; {
	case o == nil:
		c.printMessage("The backup was made by an earlier version. The next start migrates it, after another backup. Then check the operators: appliance admin members list")
	case len(o.Operators) > 0:
		fmt.Fprintf(w, "Operators: %s\n", strings.Join(o.Operators, ", "))
		if o.Source != "" {
			c.printMessage("The %s of the server determines the operators when it starts.", o.Source)
		}
	case o.Source != "":
		c.printMessage("Warning: no operator is left: no active member has an address of the %s. Add the address of a member to it.", o.Source)
	case o.Candidate == "":
		c.printMessage("Warning: the backup contains no members. Run appliance serve or appliance setup to create the first operator.")
	default:
		c.printMessage("Warning: no operator is left. Make a member one, for example: appliance admin members promote %s", o.Candidate)
	}
}

// printSettings prints what happened to the settings of the backup.
func (c *cli) printSettings(w io.Writer, r restoreReport) {
	switch taken := r.Settings.Taken; {
	case r.Rejected != "":
		c.printMessage("The settings of the backup were not taken: %s", r.Rejected)
		for _, s := range taken {
			fmt.Fprintf(w, "  %s = %q\n", s.Name, s.Value)
		}
	case len(taken) > 0:
		fmt.Fprintf(w, "Settings of the backup that are now in %s:\n", r.File)
		for _, s := range taken {
			fmt.Fprintf(w, "  %s = %q\n", s.Name, s.Value)
		}
	}
	for _, d := range r.Settings.Differ {
		fmt.Fprintf(w, "Differs: %s is %q here and was %q. It stays as it is here.\n", d.Name, d.Here, d.Backup)
	}
	for _, s := range r.Settings.Missing {
		switch {
		case s.IsOfMachine():
			c.printMessage("Missing: %s was %q. It belongs to the network of the other machine. Set it here if it should stay.", s.Name, s.Value)
		case s.IsFromFile():
			c.printMessage("Missing: %s was %q. Copy the file to this machine, then set it.", s.Name, s.Value)
		default:
			c.printMessage("Missing: %s was %q, from the %s. Set it here if it should stay.", s.Name, s.Value, s.Origin)
		}
	}
	for _, name := range r.Settings.Keys {
		c.printMessage("Missing: %s is a key, and keys are not in backups. Set it again.", name)
	}
}

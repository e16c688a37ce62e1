package svc

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Set is a string type whose values are a closed set. Each value has a constant, and code
// uses the constants; a test in package app checks both. The schemas of contracts list the
// values as an enum, and the CHECK constraints of tables permit the same values.
type Set interface {
	Values() []string // in the order in which texts list them
}

// Values returns the constants of a set for its method Values.
func Values[T ~string](constants ...T) []string {
	values := make([]string, len(constants))
	for i, c := range constants {
		values[i] = string(c)
	}
	return values
}

// CheckSets checks the fields of a request body, a struct: each value of a type that implements
// [Set] must be in the set. The error names all fields with other values. A field that is absent,
// null or empty is permitted.
func CheckSets(body any) error {
	return checkSets("", reflect.ValueOf(body))
}

// CheckSet returns an error if the value of a field is neither empty nor in its set.
func CheckSet[T interface {
	~string
	Set
}](name string, value T) error {
	return checkSets(name, reflect.ValueOf(value))
}

// CheckChosen returns an error if the value of a field is not in its set.
func CheckChosen[T interface {
	~string
	Set
}](name string, value T) error {
	if value == "" {
		return Required(name)
	}
	return CheckSet(name, value)
}

// CheckParameter returns an error if the value of a query parameter has the type of a [Set] and is
// neither empty nor in the set.
func CheckParameter(name string, value any) error {
	if set, ok := isPermitted(reflect.ValueOf(value)); !ok {
		return ParameterError(name, notInSet, FieldLabel(name), valuesText(set))
	}
	return nil
}

const notInSet = "%s must be one of %s."

// checker is a part of a request body that checks its own fields, in place of [CheckSets].
type checker interface {
	CheckSets(name string) error // name is the name of the field, "" for the body
}

// isPermitted reports whether a value is empty or in the set of its type, which it returns. Values
// of other types are permitted.
func isPermitted(value reflect.Value) (set Set, ok bool) {
	if !value.Type().Implements(setType) {
		return nil, true
	}
	set = value.Interface().(Set)
	return set, value.Len() == 0 || slices.Contains(set.Values(), value.String())
}

var setType = reflect.TypeFor[Set]()

func valuesText(set Set) string { return strings.Join(set.Values(), ", ") }

// checkSets checks a part of a request body. name is the name of the field, "" for the body.
func checkSets(name string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return checkSets(name, v.Elem())
	case reflect.String:
		if set, ok := isPermitted(v); !ok {
			return FieldError(InvalidValue, name, notInSet, FieldLabel(name), valuesText(set))
		}
	case reflect.Slice:
		if e := v.Type().Elem(); e.Kind() != reflect.Struct && e.Kind() != reflect.Pointer && !e.Implements(setType) {
			return nil
		}
		var errs []error
		for i := range v.Len() {
			if checkSets(name, v.Index(i)) != nil { // the name of an element is needed only for its error
				errs = append(errs, checkSets(fmt.Sprintf("%s.%d", name, i), v.Index(i)))
			}
		}
		return Join(errs...)
	case reflect.Struct:
		if !v.CanInterface() { // an embedded struct of an unexported type
			return checkFields(name, v)
		}
		if c, ok := v.Interface().(checker); ok {
			return c.CheckSets(name)
		}
		return checkFields(name, v)
	}
	return nil
}

// checkFields checks the fields of a struct.
func checkFields(name string, v reflect.Value) error {
	var errs []error
	for f, value := range v.Fields() {
		field, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case field == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && field == "":
			field = name
		case name != "":
			field = name + "." + field
		}
		errs = append(errs, checkSets(field, value))
	}
	return Join(errs...)
}

package httpd

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// Limits of JSON and form bodies, in bytes. Bodies of unauthenticated clients
// are small, to bound the memory that slow clients hold.
const (
	maxBody                = 1 << 20
	maxUnauthenticatedBody = 16 << 10
)

// limitedBody is a request body with the number of bytes that may be read.
type limitedBody struct {
	io.ReadCloser
	limit int64
}

// limitBody limits the request body to maxUnauthenticatedBody for a public route, and to
// maxBody for others.
func limitBody(rt Route, r *http.Request) {
	limit := int64(maxBody)
	if rt.Access == Public {
		limit = maxUnauthenticatedBody
	}
	r.Body = limitedBody{r.Body, limit}
}

// Decode fills the struct that in points to: fields tagged `path:"id"` from the
// path, `query:"scope"` from the query, `header:"If-Match"` from the headers, and
// the others by their JSON names from the body, which is JSON or a form. Unknown
// fields are ignored, and values outside of the closed set of a field are refused.
func Decode(r *http.Request, in any) error {
	_, err := DecodeBody(r, in, nil)
	return err
}

// DecodeBody is [Decode] and also returns the body as JSON. The fields of the body that are in
// fixed, a JSON object or nil, have these values.
func DecodeBody(r *http.Request, in any, fixed []byte) ([]byte, error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead { // a body has no meaning (RFC 9110 §9.3.1)
		return nil, decodeParameters(r, in)
	}
	text, err := bodyJSON(r, reflect.TypeOf(in).Elem())
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, in); err != nil {
		return nil, malformedJSON(err)
	}
	if fixed != nil {
		if err := json.Unmarshal(fixed, in); err != nil {
			return nil, err
		}
	}
	if err := svc.CheckSets(in); err != nil {
		return nil, err
	}
	return text, decodeParameters(r, in)
}

// decodeParameters fills the fields that are tagged path, query or header.
func decodeParameters(r *http.Request, in any) error {
	v := reflect.ValueOf(in).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		if name := f.Tag.Get("path"); name != "" {
			v.FieldByIndex(f.Index).SetString(r.PathValue(name))
		}
		if name := f.Tag.Get("header"); name != "" {
			v.FieldByIndex(f.Index).SetString(r.Header.Get(name))
		}
		if name := f.Tag.Get("query"); name != "" {
			if err := setParameter(v.FieldByIndex(f.Index), name, r.URL.Query()); err != nil {
				return err
			}
		}
	}
	return nil
}

// setParameter sets a field of type string, bool or int from the query.
func setParameter(field reflect.Value, name string, query url.Values) error {
	if !query.Has(name) {
		return nil
	}
	text := query.Get(name)
	if !utf8.ValidString(text) {
		return svc.ParameterError(name, "%s is not valid text.", svc.FieldLabel(name))
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
		return svc.CheckParameter(name, field.Interface())
	case reflect.Bool:
		if text != "true" && text != "false" {
			return svc.ParameterError(name, "%s must be true or false.", svc.FieldLabel(name))
		}
		field.SetBool(text == "true")
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return svc.ParameterError(name, "%s must be a whole number.", svc.FieldLabel(name))
	}
	field.SetInt(n)
	return nil
}

// malformedJSON returns the error for a body that json.Unmarshal rejected, with
// the name of the field.
func malformedJSON(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		keys := slices.DeleteFunc(strings.Split(wrong.Field, "."), func(key string) bool {
			return key == "" || key[0] >= 'A' && key[0] <= 'Z' // an embedded struct is no JSON field
		})
		name := strings.Join(keys, ".")
		return svc.FieldError(svc.MalformedBody, name, "%s has a value of the wrong kind (%s).", svc.FieldLabel(name), svc.Excerpt(wrong.Value)).WithCause(err)
	}
	var e *svc.Error
	if errors.As(err, &e) { // of an UnmarshalJSON method
		return e
	}
	return svc.Errorf(svc.MalformedBody, "The body is not a JSON object of the expected form.").WithCause(err)
}

// bodyJSON returns the body as JSON. A form is converted to JSON for the type in.
func bodyJSON(r *http.Request, in reflect.Type) ([]byte, error) {
	body, err := ReadBody(r)
	if err != nil {
		return nil, err
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Header.Get("Content-Type") == "" || len(body) == 0 {
		kind, err = "application/json", nil
	}
	if err != nil {
		return nil, svc.Errorf(svc.UnsupportedMedia, "The Content-Type header cannot be read.")
	}
	switch kind {
	case "application/json":
		if len(bytes.TrimSpace(body)) == 0 {
			return []byte("{}"), nil
		}
		if !utf8.Valid(body) {
			return nil, svc.Errorf(svc.MalformedBody, "The body is not UTF-8.")
		}
		return body, nil
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, svc.Errorf(svc.MalformedBody, "The form cannot be read.").WithCause(err)
		}
		return formJSON(values, in)
	case "multipart/form-data":
		values, err := multipartValues(body, params["boundary"])
		if err != nil {
			return nil, err
		}
		return formJSON(values, in)
	}
	return nil, svc.Errorf(svc.UnsupportedMedia, "Send application/json, not %s.", svc.Excerpt(kind))
}

// ReadBody reads the body up to its limit. It discards the rest of a body that is
// not much larger, so that the connection can be reused.
func ReadBody(r *http.Request) ([]byte, error) {
	limit := r.Body.(limitedBody).limit
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return nil, BodyError(err)
	}
	if int64(len(body)) > limit {
		_, _ = io.CopyN(io.Discard, r.Body, 4*maxBody)
		return nil, svc.Errorf(svc.BodyTooLarge, "The body may have up to %d bytes.", limit)
	}
	return body, nil
}

// multipartValues returns the values of a multipart form without files.
func multipartValues(body []byte, boundary string) (url.Values, error) {
	values := make(url.Values)
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return values, nil
		}
		if err == nil && part.FileName() != "" {
			return nil, svc.Errorf(svc.UnsupportedMedia, "This address does not accept files.")
		}
		var text []byte
		if err == nil {
			text, err = io.ReadAll(part)
		}
		if err != nil {
			return nil, svc.Errorf(svc.MalformedBody, "The form cannot be read.").WithCause(err)
		}
		values.Add(part.FormName(), string(text))
	}
}

// maxFormDepth limits the nesting of names such as a[b][c].
const maxFormDepth = 8

// formJSON converts a form to JSON for the struct type in: a[b] and a.b are
// nested, a[] and repeated names are lists, and the type of the field
// determines what is a number or a boolean.
func formJSON(values url.Values, in reflect.Type) ([]byte, error) {
	tree := make(map[string]any)
	for name, list := range values {
		keys := strings.FieldsFunc(name, func(c rune) bool { return c == '[' || c == ']' || c == '.' })
		if len(keys) == 0 || len(keys) > maxFormDepth || !utf8.ValidString(name) {
			continue
		}
		node := tree
		for _, key := range keys[:len(keys)-1] {
			child, ok := node[key].(map[string]any)
			if !ok {
				child = make(map[string]any)
				node[key] = child
			}
			node = child
		}
		for _, v := range list {
			if !utf8.ValidString(v) {
				name := svc.Excerpt(keys[0])
				return nil, svc.FieldError(svc.MalformedBody, name, "%s is not valid text.", svc.FieldLabel(name))
			}
		}
		node[keys[len(keys)-1]] = list
	}
	return json.Marshal(convertForm(tree, in))
}

// convertForm converts a form value to the JSON value for the type t. A value
// that does not fit stays a string, which json.Unmarshal rejects.
func convertForm(v any, t reflect.Type) any {
	for t.Kind() == reflect.Pointer || isOptional(t) {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		} else {
			t = t.Field(0).Type
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			v[key] = convertForm(child, fieldType(t, key))
		}
		return v
	case []string:
		if t.Kind() == reflect.Slice {
			list := make([]any, len(v))
			for i := range v {
				list[i] = convertScalar(v[i], t.Elem())
			}
			return list
		}
		return convertScalar(v[len(v)-1], t)
	}
	return v
}

// convertScalar converts the text of a form field to a JSON value for the type t.
func convertScalar(text string, t reflect.Type) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		switch strings.ToLower(text) {
		case "on", "1", "true":
			return true
		case "", "off", "0", "false":
			return false
		}
	case reflect.Int, reflect.Int64, reflect.Float64:
		if text == "" {
			return nil
		}
		if json.Valid([]byte(text)) {
			return json.Number(text)
		}
	}
	return text
}

var anyType = reflect.TypeFor[any]()

// fieldType returns the type of the field with a JSON name.
func fieldType(t reflect.Type, name string) reflect.Type {
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return anyType
	}
	for _, f := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name {
			return f.Type
		}
	}
	return anyType
}

// isOptional reports whether t is an instance of svc.Optional.
func isOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == "appliance/svc" && strings.HasPrefix(t.Name(), "Optional[")
}

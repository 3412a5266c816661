package agent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

type object = map[string]any

// The functions of this file read members of parameters. Absent, null and unset members are the same, and each error
// names its field.

func asObject(value any, field string) (object, error) {
	if found, ok := value.(object); ok {
		return found, nil
	}
	return nil, invalidParams(field, "must be an object")
}

func optionalObject(holder object, name, path string) (object, error) {
	if holder[name] == nil {
		return object{}, nil
	}
	return asObject(holder[name], path+name)
}

func optionalText(holder object, name, path string) (string, error) {
	if holder[name] == nil {
		return "", nil
	}
	if text, ok := holder[name].(string); ok {
		return text, nil
	}
	return "", invalidParams(path+name, "must be a string")
}

func requiredText(holder object, name, path string) (string, error) {
	text, err := optionalText(holder, name, path)
	if err == nil && text == "" {
		err = invalidParams(path+name, "is required")
	}
	return text, err
}

func optionalFlag(holder object, name, path string) (value, present bool, err error) {
	if holder[name] == nil {
		return false, false, nil
	}
	value, present = holder[name].(bool)
	if !present {
		err = invalidParams(path+name, "must be true or false")
	}
	return value, present, err
}

// bounds are those of a whole number.
type bounds struct{ least, most int64 }

var anyCount = bounds{0, 1<<31 - 1}

// optionalCount returns -1 for an absent number.
func optionalCount(holder object, name string, within bounds) (int, error) {
	last := name[strings.LastIndex(name, ".")+1:]
	if holder[last] == nil {
		return -1, nil
	}
	number, _ := holder[last].(json.Number)
	count, err := number.Int64()
	if err != nil || count < within.least || count > within.most {
		return -1, invalidParams(name, fmt.Sprintf("must be a whole number from %d to %d", within.least, within.most))
	}
	return int(count), nil
}

func requiredList(holder object, name, path string) ([]any, error) {
	if list, ok := holder[name].([]any); ok && len(list) > 0 {
		return list, nil
	}
	return nil, invalidParams(path+name, "must be a list with at least one element")
}

// exactlyOne returns which of the names is present. A value of data may be null.
func exactlyOne(holder object, names []string, field string) (string, error) {
	found := []string{}
	for _, name := range names {
		if value, ok := holder[name]; ok && (value != nil || name == "data") {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return "", invalidParams(field, "must have exactly one of "+strings.Join(names, ", "))
	}
	return found[0], nil
}

var plainBase64 = strings.NewReplacer("-", "+", "_", "/", "\r", "!", "\n", "!")

// decodeBase64 takes both alphabets, with or without padding.
func decodeBase64(text string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(plainBase64.Replace(text), "="))
}

func checkBase64(text, field string) error {
	if _, err := decodeBase64(text); err != nil {
		return invalidParams(field, "must be base64")
	}
	return nil
}

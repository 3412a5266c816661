module example.com/word-counter

go 1.24

require github.com/crosszone/crosszone/kits/go v0.1.0

// Remove this line outside of this repository.
replace github.com/crosszone/crosszone/kits/go => ../../../kits/go

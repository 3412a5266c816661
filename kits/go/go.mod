module github.com/crosszone/crosszone/kits/go

go 1.24

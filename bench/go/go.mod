module netrpcbench

go 1.19

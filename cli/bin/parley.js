#!/usr/bin/env node
// npm links the programs of workspaces, so that "npx parley" runs this file without installing anything.
import '../../bin/parley.js'

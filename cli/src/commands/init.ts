import { writeFile } from 'node:fs/promises'
import { command } from '../command.ts'
import { CliError } from '../failures.ts'

export const init = command({
  name: 'init',
  summary: 'Write a starter file for "apply"',
  args: '[file]',
  details: `[file] is a new file; default: workspace.yaml. A file that exists is never overwritten.

The file has a knowledge source, a tool that searches it, an agent and an evaluation. It can be applied as it is.`,
  examples: ['parley init', 'parley init config/workspace.yaml'],
  async run({ out, path }, [name = 'workspace.yaml']) {
    const { starterFile } = await import('../config/starter.ts')
    // "wx" fails if the file exists, also if another process creates it at the same time.
    await writeFile(path(name), starterFile, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      throw new CliError(`${name} exists already.`, 'Name a new file: parley init <file>')
    })
    out.line(`Wrote ${name}. See what it would change: parley diff ${name}`)
    return 0
  },
})

import { type Command, command } from '../command.ts'
import { applyOptions } from './apply.ts'

export const imports: Command[] = [
  command({
    name: 'import dify',
    summary: 'Turn an app of Dify into agents, tools and sources',
    args: '<file>',
    details: `<file> is what "Export DSL" of an app in Dify gives.

Prints a file for "parley apply". What cannot be carried over is listed on stderr and at the start of the file.`,
    connects: true,
    options: {
      apply: { type: 'boolean', description: 'Apply it at once, after showing the differences' },
      ...applyOptions,
    },
    examples: ['parley import dify app.yml > workspace.yaml', 'parley import dify app.yml --apply'],
    async run(session, [file = ''], { apply, 'dry-run': dryRun, yes, 'update-secrets': updateSecrets }) {
      const [{ applySource, readSource }, { importDify }, { importedText }, { parseYaml }] = await Promise.all([
        import('../config/apply.ts'),
        import('../import/dify.ts'),
        import('../import/imported.ts'),
        import('../config/yaml.ts'),
      ])
      const { value } = await readSource(session, file, { allowAliases: true })
      const imported = importDify(value)
      const text = importedText(imported)
      const { io, out, err } = session
      if (imported.notes.length > 0) err.line('Not carried over:')
      for (const note of imported.notes) err.line(`- ${note}`)
      if (apply)
        return applySource(session, parseYaml(text, `import of ${file}`), {
          dryRun: dryRun ?? false,
          yes: yes ?? false,
          prune: false,
          updateSecrets: updateSecrets ?? false,
        })
      if (out.isTerminal) out.text(text)
      else io.stdout.write(text)
      return 0
    },
  }),
]

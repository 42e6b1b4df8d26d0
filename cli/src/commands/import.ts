import { type Command, command } from '../command.ts'
import type { Imported } from '../import/imported.ts'
import { applyOptions } from './apply.ts'

interface Importer {
  name: string
  summary: string
  origin: string
  details: string
  examples: string[]
  read(value: unknown): Promise<Imported>
}

const importer = ({ name, summary, origin, details, examples, read }: Importer): Command =>
  command({
    name: `import ${name}`,
    summary,
    args: '<file>',
    details: `${details}

Prints a file for "parley apply". What cannot be carried over is listed on stderr and at the start of the file.`,
    connects: true,
    options: {
      apply: { type: 'boolean', description: 'Apply it at once, after showing the differences' },
      ...applyOptions,
    },
    examples,
    async run(session, [file = ''], { apply, 'dry-run': dryRun, yes, 'update-secrets': updateSecrets }) {
      const [{ applySource, readSource }, { importedText }, { parseYaml }] = await Promise.all([
        import('../config/apply.ts'),
        import('../import/imported.ts'),
        import('../config/yaml.ts'),
      ])
      const { value } = await readSource(session, file, { allowAliases: true })
      const imported = await read(value)
      const text = importedText(imported, origin)
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
  })

export const imports: Command[] = [
  importer({
    name: 'openai',
    summary: 'Turn assistants of OpenAI into agents, tools and sources',
    origin: 'assistants of OpenAI',
    details: '<file> is the JSON of GET https://api.openai.com/v1/assistants, a list of assistants, or one of them.',
    examples: ['parley import openai assistants.json > workspace.yaml', 'parley import openai assistants.json --apply'],
    read: async (value) => (await import('../import/openai.ts')).importOpenai(value),
  }),
  importer({
    name: 'dify',
    summary: 'Turn an app of Dify into agents, tools and sources',
    origin: 'an app of Dify',
    details: '<file> is what "Export DSL" of an app in Dify gives.',
    examples: ['parley import dify app.yml > workspace.yaml', 'parley import dify app.yml --apply'],
    read: async (value) => (await import('../import/dify.ts')).importDify(value),
  }),
]

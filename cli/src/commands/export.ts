import { command } from '../command.ts'

export const exportWorkspace = command({
  name: 'export',
  summary: 'Write the configuration of a workspace as YAML',
  details: `Models, prompt templates, knowledge sources, API tools (also MCP servers), RAG tools, retrieval tools, agents, evaluations,
schedules, triggers, thresholds, webhooks, monitors, labels and experiments, by name and without what is the default. Secrets become references to variables of the
environment; the variables are listed at the start of the file. Uploaded documents and conversations are not in it.`,
  connects: true,
  examples: ['parley export > workspace.yaml'],
  async run({ io, out, err, client }) {
    const [{ exportState }, { readDescription, readState }] = await Promise.all([
      import('../config/document.ts'),
      import('../config/state.ts'),
    ])
    const connected = await client()
    const description = await readDescription(connected)
    const state = await readState(connected, { details: () => true, tokens: false, labels: true })
    const { text, variables } = exportState(state, description)
    // A file gets every character; a terminal only those that it can show.
    if (out.isTerminal) out.text(text)
    else io.stdout.write(text)
    for (const [section, reason] of state.unreadable) err.line(`Left out ${section}: ${reason}`)
    if (variables.length > 0) {
      err.line('Secrets are not in the file. Set these variables to apply it to another workspace:')
      for (const { name, purpose } of variables) err.line(`  ${name}: ${purpose}`)
    }
    return 0
  },
})

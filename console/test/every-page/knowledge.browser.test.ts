import { it } from 'vitest'
import { knowledge } from '../../../server/test/knowledge.ts'
import { stagedWorkspace } from '../console.ts'
import { checkPages, longUrl, longWord } from './check.ts'

it('pages of knowledge, tools and prompts are accessible and fit, with long names', async () => {
  const workspace = await stagedWorkspace()
  const create = async (path: string, body: object) => (await workspace.post(path, body)).body.data.id
  const { make, upload, settled, documents } = knowledge(workspace)
  const source = await make({ name: longWord, description: longUrl })
  await upload(source, {
    'tea.md': `# Tea\n\nGreen tea is brewed hot.\n\n## ${longWord}\n\n${longWord}`,
    [`${longWord.slice(0, 150)}.md`]: `# ${longWord}\n\n${longWord}`,
    'damaged.pdf': '%PDF-1.7 not really',
    'words.csv': `Word,${longWord}\n${longWord},1\n`,
  })
  await settled(source)
  const document = (await documents(source)).find(({ name }) => name === 'tea.md')?.id
  const table = (await workspace.get(`/knowledge-sources/${source}/tables`)).body.data[0].id
  const tool = { name: longWord, description: longWord }
  const rag = await create('/rag-tools', { ...tool, knowledge_source_id: source })
  const retrieval = await create('/retrieval-tools', {
    name: 'retrieval',
    knowledge_source_ids: [source],
    tables: true,
  })
  const weather = { name: 'api', description: 'Weather.', url: 'https://a.example/{city}', requires_approval: true }
  const api = await create('/api-tools', weather)
  await create('/api-tools', { name: `call_${'x'.repeat(59)}`, description: 'Long.', url: longUrl })
  const prompt = { name: longWord, description: longWord, template: `As {{persona}}. ${longWord}` }
  const template = await create('/prompt-templates', prompt)
  await create('/agents', { name: longWord, prompt_template_id: template, prompt_variables: { persona: 'a guide' } })
  await checkPages(workspace, [
    ['/knowledge', 'Search sources'],
    ['/knowledge?new=yes', 'Create source'],
    [`/knowledge/${source}`, 'tea.md'],
    [`/knowledge/${source}?tab=tables`, 'Name in SQL'],
    [`/knowledge/${source}/tables/${table}`, 'Filter rows'],
    [`/knowledge/${source}?tab=search`, 'Search query'],
    [`/knowledge/${source}?tab=syncs`, 'completed'],
    [`/knowledge/${source}?tab=settings`, 'No unsaved changes'],
    [`/knowledge/${source}/documents/${document}?start=7&end=20`, 'is brewed hot.'],
    [`/knowledge/${source}/documents/${document}?tab=chunks`, 'Show in text'],
    ['/tools', 'Weather.'],
    ['/tools?new=rag', 'New answer tool'],
    ['/tools?new=api', 'New API tool'],
    ['/tools?new=import', 'Show operations'],
    [`/tools/rag/${rag}`, 'Index status'],
    [`/tools/retrieval/${retrieval}`, 'Try SQL'],
    [`/tools/api/${api}`, 'city (required)'],
    ['/prompts', 'Search prompts'],
    [`/prompts/${template}`, 'Used by'],
  ])
})

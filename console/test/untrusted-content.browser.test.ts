import { expect, it } from 'vitest'
import { knowledge } from '../../server/test/knowledge.ts'
import { stagedWorkspace, workspace } from './console.ts'

const payloads = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '<svg onload="window.pwned = 1"></svg>',
  '[click](javascript:window.pwned=1)',
  '[click](data:text/html,<script>parent.pwned=1</script>)',
  '![pixel](https://tracker.example/pixel.png)',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '"><a href="javascript:window.pwned=1">x</a>',
  '<https://safe.example>',
].join('\n\n')

it('shows content from models, users and agent names as text', async () => {
  const name = '<img src=x onerror="window.pwned = 1">'
  const { open, agent, put, post, talk, say } = await stagedWorkspace({ deltas: [payloads] })
  await put(`/agents/${agent}`, { name, description: payloads, topics: [name] })
  const conversation = await talk()
  await put(`/conversations/${conversation}`, { title: payloads.slice(0, 300) })
  await say(conversation, payloads)
  await post('/prompt-templates', { name, template: `${payloads} {{name}}` })
  const { page, problems, goTo } = await open('/agents')
  const reply = page.getByRole('article', { name: 'Reply' })
  const pages = [
    ['/agents', page.getByPlaceholder('Search agents')],
    [`/agents/${agent}`, page.getByLabel('System prompt')],
    ['/conversations', page.getByPlaceholder('Search messages and titles')],
    ['/prompts', page.getByPlaceholder('Search prompts')],
    [`/conversations/${conversation}`, reply],
  ] as const
  for (const [path, part] of pages) {
    await goTo(path)
    await part.waitFor()
    await page.locator('main').getByText('onerror').filter({ visible: true }).first().waitFor()
    expect([path, await page.evaluate('window.pwned')]).toEqual([path, undefined])
  }
  expect(await reply.locator('img, iframe, script, svg[onload]').count()).toBe(0)
  const links = () => reply.getByRole('link').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  await expect.poll(links).toEqual(['https://tracker.example/pixel.png', 'https://safe.example'])
  await expect.poll(() => reply.getByRole('link').first().getAttribute('rel')).toContain('noopener')
  // Nothing was requested from another host, and the content policy blocked nothing.
  expect(problems).toEqual([])
})

it('shows documents, their names and search results as text', async () => {
  const name = '<img src=x onerror="window.pwned = 1">'
  const service = await workspace()
  const { open, post } = service
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make({ name, description: payloads.slice(0, 300) })
  await upload(source, { [`${name}.md`]: `# ${name}\n\n${payloads}\n\nThe pixel is a payload.` })
  await settled(source)
  const [document] = await documents(source)
  const tool = (await post('/rag-tools', { name, knowledge_source_id: source })).body.data.id
  const { page, problems, goTo } = await open('/knowledge')
  const pages = [
    ['/knowledge', page.getByPlaceholder('Search sources')],
    [`/knowledge/${source}`, page.getByRole('region', { name: 'Documents' })],
    [`/knowledge/${source}?tab=settings`, page.getByText('No unsaved changes')],
    [`/knowledge/${source}/documents/${document.id}?start=0&end=60`, page.locator('.document-text')],
    ['/tools', page.getByRole('tab', { name: /^API/ })],
  ] as const
  const isClean = async (path: string) => {
    expect([path, await page.evaluate('window.pwned')]).toEqual([path, undefined])
    const live = page.locator('main').locator('img, iframe, script, svg[onload], a[href^="javascript"]')
    expect([path, await live.count()]).toEqual([path, 0])
  }
  for (const [path, part] of pages) {
    await goTo(path)
    await part.waitFor()
    await page.locator('main').getByText('onerror').filter({ visible: true }).first().waitFor()
    await isClean(path)
  }
  await goTo(`/tools/rag/${tool}`)
  await page.getByLabel('Question').fill('What is the payload pixel?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('list', { name: 'Results' }).getByText('onerror').first().waitFor()
  await isClean('asked')
  expect(problems).toEqual([])
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Caller, Context } from '../../kernel/context.ts'
import { agents } from '../agents/service.ts'
import { knowledgeSources } from '../knowledge-sources/service.ts'
import { ragTools } from '../knowledge-tools/service.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The vectors of the passages of the documentation, so that the first start does not compute them. Made by `npm run build`. */
export const demoVectors = fileURLToPath(new URL('./vectors.txt', import.meta.url))

/** Creates an agent on the local model that answers from Parley's own documentation. */
export async function createDemo(ctx: Context, workspace: string): Promise<void> {
  const who: Caller = { workspace, role: 'owner', token: 'first-start', userId: null, groups: [], rateLimit: null }
  const documents = documentation()
  const tools = documents.length === 0 ? [] : [await createTool(ctx, who, documents)]
  await agents.create(ctx, who, {
    name: 'Parley guide',
    description:
      'A first agent to talk to. It answers from the documents of Parley, on the default model: the local one, until you connect another.',
    system_prompt:
      'You are the guide of Parley, a self-hosted platform for conversational agents. Look questions about it up in its documents, answer briefly and plainly, and cite what you found as [n]. Say so when you do not know.',
    model_id: null,
    temperature: 0.2,
    max_tokens: null,
    max_steps: 8,
    tools,
    topics: ['getting started', 'models', 'agents'],
    prompt_template_id: null,
    prompt_variables: {},
    fallback_model_ids: [],
    status: 'active',
    type: 'conversational',
    metadata: { demo: 'true' },
  })
}

interface Document {
  title: string
  content: string
}

/** The documents are read in the background; the start does not wait. */
async function createTool(ctx: Context, who: Caller, documents: Document[]): Promise<string> {
  const source = await knowledgeSources.create(ctx, who, {
    name: 'Parley documents',
    description: 'The documents that came with this version of Parley.',
    type: 'text',
    configuration: { documents },
  })
  const tool = await ragTools.createRow(ctx, who, {
    name: 'Parley documents',
    description: 'How to install, start, configure, operate and use Parley.',
    knowledge_source_id: source.id,
    embedding_model: null,
    chunk_size: 400,
    chunk_overlap: null,
    top_k: 5,
    search_mode: 'hybrid',
    score_threshold: null,
    filters: {},
    model_id: null,
  })
  return tool.id
}

/** Benchmarks and design documents do not answer questions about using Parley. */
const notForUsers = ['README', 'architecture', 'performance', 'reliability', 'scale'].map((name) => `docs/${name}.md`)

/** The Markdown files of the installation, if it has any. */
export const documentation = (): Document[] =>
  globSync(['README.md', 'docs/*.md'], { cwd: root, exclude: notForUsers })
    .sort()
    .map((file) => ({ title: file.replace(/^.*[\\/]/, ''), content: readFileSync(join(root, file), 'utf8') }))

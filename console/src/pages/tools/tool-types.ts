import type { Schemas } from '@parley/client'
import { BookOpenCheck, Cable, type LucideIcon, ScanSearch, Server } from 'lucide-react'

export type RagTool = Schemas['RagTool']
export type RetrievalTool = Schemas['RetrievalTool']
export type ApiTool = Schemas['ApiTool']
export type ToolType = 'rag' | 'retrieval' | 'api' | 'mcp'

export const toolTypes: Record<ToolType, { label: string; icon: LucideIcon; text: string }> = {
  rag: {
    label: 'Answer',
    icon: BookOpenCheck,
    text: 'Searches one source and answers with citations. The API calls it a RAG tool.',
  },
  retrieval: {
    label: 'Search',
    icon: ScanSearch,
    text: 'Searches several sources and returns passages. The API calls it a retrieval tool.',
  },
  api: { label: 'API', icon: Cable, text: 'Calls an HTTP API.' },
  mcp: { label: 'MCP server', icon: Server, text: 'Offers the tools of an MCP server.' },
}

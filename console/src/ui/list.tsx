import type { Pagination } from '@parley/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

/** What a list shows is in the address, so that it can be shared and gone back to. */
export function useListAddress() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: { ...search, ...next } as never, replace: true })
  return { search, page: Math.max(1, Number(search.page) || 1), q: search.q ?? '', change }
}

export function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (q: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 350)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <div className="search-box">
      <Search aria-hidden size={15} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}

export function Pager({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const { page, pages, total, limit } = pagination
  if (pages <= 1) return null
  return (
    <nav className="pager" aria-label="Pages">
      <span className="muted small">
        {(page - 1) * limit + 1}–{Math.min(total, page * limit)} of {total}
      </span>
      <IconButton icon={ChevronLeft} label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <IconButton icon={ChevronRight} label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)} />
    </nav>
  )
}

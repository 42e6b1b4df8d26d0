import type { Pagination } from '@parley/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import type { Option } from './field.tsx'

/** What a list shows is in the address, so that it can be shared and gone back to. */
export function useListAddress() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const change = (next: Record<string, string | undefined>) =>
    // Another page of a list is read from its top; any other change leaves the reader where they are.
    void navigate({ to: '.', search: { ...search, ...next } as never, replace: true, resetScroll: 'page' in next })
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

interface FilterProps {
  label: string
  /** In the address. */
  name: string
  /** What it says where nothing is chosen. */
  all: string
  options: readonly Option[]
}

/** Narrows a list by one of its fields. */
export function FilterSelect({ label, name, all, options }: FilterProps) {
  const { search, change } = useListAddress()
  return (
    <select
      aria-label={label}
      value={search[name] ?? ''}
      onChange={(event) => change({ [name]: event.target.value || undefined, page: undefined })}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/**
 * Goes to the last page where the address names one behind it, such as when its only row was deleted.
 * Answers whether that is going on.
 */
export function useLastPage(pagination: Pagination | undefined): boolean {
  const { change } = useListAddress()
  const { page = 1, pages = 1, total = 0 } = pagination ?? {}
  const isBehind = total > 0 && page > pages
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is not there
  useEffect(() => {
    if (isBehind) change({ page: pages > 1 ? String(pages) : undefined })
  }, [isBehind, page, pages])
  return isBehind
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

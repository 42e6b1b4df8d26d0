import type { Page, Pages } from '@parley/client'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type LucideIcon, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Permission, useMay } from '../app/permissions.ts'
import { Button } from '../ui/button.tsx'
import { Pager, SearchBox, useLastPage, useListAddress } from '../ui/list.tsx'
import { PageFrame } from '../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../ui/states.tsx'
import { type Column, Table, type TableProps } from '../ui/table.tsx'

interface Asked {
  page: number
  limit: number
  q: string | undefined
}

interface ListSettings<Row> {
  /** Where it begins is the resource; what else narrows the list follows. */
  resource: readonly unknown[]
  read: (asked: Asked, options: { signal: AbortSignal }) => Pages<Row>
  /** Whether to look again soon. */
  isMoving?: (rows: Row[]) => boolean
}

const slowly = 5000

/** The page of a list that the address names. */
export function useList<Row>({ resource, read, isMoving }: ListSettings<Row>): UseQueryResult<Page<Row>> {
  const { page, q } = useListAddress()
  return useQuery({
    queryKey: [...resource, page, q],
    queryFn: ({ signal }) => read({ page, limit: 25, q: q || undefined }, { signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data !== undefined && isMoving?.(state.data.data) && slowly,
  })
}

interface ListingProps<Row> extends Omit<TableProps<Row>, 'rows' | 'keyOf'> {
  list: UseQueryResult<Page<Row>>
  /** What to see where there is nothing. */
  empty: ReactNode
}

/** A list as it comes in: on its way, gone wrong, empty, or a table with its pages. */
export function Listing<Row extends { id: string }>({ list, empty, ...table }: ListingProps<Row>) {
  const { change } = useListAddress()
  const { data, error, isPending, refetch } = list
  const isTurning = useLastPage(data?.pagination)
  return (
    <>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {(isPending || isTurning) && <Loading />}
      {data?.data.length === 0 && !isTurning && empty}
      {data && data.data.length > 0 && (
        <>
          <Table {...table} rows={data.data} keyOf={({ id }) => id} />
          <Pager pagination={data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </>
  )
}

interface ListPageProps<Row> extends ListSettings<Row> {
  title: string
  lead: string
  /** What the search box says; without it there is none. */
  search?: string
  /** What else narrows the list: controls, and their names in the address. */
  filters?: { names: readonly string[]; controls: ReactNode }
  create?: { label: string; may: Permission; dialog: (close: () => void) => ReactNode }
  empty: { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode }
  /** What is said where the search finds nothing. */
  none?: string
  to: (row: Row) => string
  columns: readonly Column<Row>[]
}

/** The page of a resource: its list, the way to make another, and what to do where there is none yet. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, lead, create, filters, empty } = props
  const may = useMay()
  const { search, q, change } = useListAddress()
  const list = useList(props)
  const isNarrowed = q !== '' || (filters?.names ?? []).some((name) => search[name])
  const button = create && may(create.may) && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      {create.label}
    </Button>
  )
  return (
    <PageFrame title={title} lead={lead} actions={button}>
      {props.search && (
        <div className="toolbar">
          <SearchBox label={props.search} value={q} onChange={(text) => change({ q: text, page: undefined })} />
          {filters?.controls}
        </div>
      )}
      <Listing
        list={list}
        label={title}
        to={props.to}
        columns={props.columns}
        empty={
          isNarrowed ? (
            <Empty icon={empty.icon} title={props.none ?? 'Nothing fits'}>
              Try other words{filters && ', or choose less'}.
            </Empty>
          ) : (
            <Empty icon={empty.icon} title={empty.title} action={empty.action ?? button}>
              {empty.text}
            </Empty>
          )
        }
      />
      {search.new === 'yes' && create && may(create.may) && create.dialog(() => change({ new: undefined }))}
    </PageFrame>
  )
}

/** What most lists begin with. */
export const nameColumn = {
  title: 'Name',
  cell: ({ name, description }: { name: string; description: string | null }) => (
    <>
      {name}
      {description && <span className="muted two-lines">{description}</span>}
    </>
  ),
}

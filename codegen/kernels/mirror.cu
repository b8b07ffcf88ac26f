//# The sweep `mirror`, for squares: each pair is computed once. The values of a tile are stored in the lower half of the
//# square by rows, and through shared memory in the upper half by columns, so that both are written in whole sectors.
//#
//# Whole sectors need rows that start at multiples of a sector. In other squares each value is stored separately, and the
//# sweep `rows` is faster. Rows of packed slots start anywhere in a sector: their values go through shared memory too, and
//# adjacent threads store adjacent ones.
//#
//# The order of a kernel: helpers, pair function, signature, the map's prologue (kernel.cu); stage and pairs (here);
//# the flush of the sums (kernel.cu). Code that several sweeps share, such as the call of the pair function, is in parts.cu.
//% extends "kernel.cu"
//% from "parts.cu" import and_aligned, append, evaluate, over, own_offset, segments, store, values

{% block work %}each pair once, for both halves of the square{% endblock %}

//% block stage
//% if each

    // Stage the elements of the tile's rows and columns.
//% for p in each
    __shared__ ${p.type} ${p.name}_rows[TILE];
    __shared__ td_columns<${p.type}, TILE> ${p.name}_cols;
//% endfor
//% set stage_rows
//% for p in each
        ${p.name}_rows[k] = ${p.name}_all[min(tile_i * TILE + k, n - 1)];
//% endfor
//% endset
//% set stage_columns
//% for p in each
        ${p.name}_cols.put(k, ${p.name}_all[min(tile_j * TILE + k, n - 1)]);
//% endfor
//% endset
//% if map.walks
    if (${map.is_new_row}) {~
        ${over("TILE", side, stage_rows)}
    ~}
    ${over("TILE", side, stage_columns)}
//% else
    ${over("TILE", side, stage_rows ~ stage_columns)}
//% endif
    __syncthreads();
//% endif
//% endblock

//% block pairs
${segments()}

    // The tile's values, for the half above the diagonal${" and for packed rows" if packed else ""}.
//% for slot in slots
    __shared__ td_mirror<${slot.type}, TILE, VECTOR> ${slot.name}_tile;
//% endfor
//# Vector stores in the upper half need every row of the squares to start at a multiple of 16 bytes.
    if (${domain.interior}${and_whole_vectors()}${and_aligned(squares)}) {
        ${interior()}
    } else {
        ${boundary()}
    }
//% endblock

//# The condition, appended to others, that every row of the squares starts at a multiple of 16 bytes. `multiple` is the
//# largest of the slots' counts of elements, which is a multiple of the smaller ones.
{% macro and_whole_vectors() -%}
${" && n % " ~ multiple ~ " == 0" if multiple > 1 else ""}
{%- for slot in squares if not slot.has_known_size %} && n * sizeof(${slot.type}) % 16 == 0{% endfor %}
{%- endmacro %}

//% macro interior()
//% set kept = "@_col[group / WIDTH + k]"
//% set staged = "@_cols.at(VECTOR * threadIdx.x, group + k)"
//% set line = "tile_i * TILE + r"
//% set column = "tile_j * TILE + VECTOR * threadIdx.x + group + k"
        // An interior tile: vector stores below the diagonal. The values are also put into the mirror.
//% if has_kept
//% for p in each if p.is_kept
        ${p.type} ${p.name}_col[THREAD_COLUMNS];
//% endfor
#pragma unroll
        for (unsigned int group = 0; group < TILE; group += VECTOR * WIDTH) {
#pragma unroll
            for (unsigned int k = 0; k < VECTOR; ++k) {~
//% for p in each if p.is_kept
                ${kept|replace("@", p.name)} = ${staged|replace("@", p.name)};
//% endfor
            ~}
        }
//% endif
        const unsigned long long step = (unsigned long long)HEIGHT * n; // from a row of the thread to its next row
//% for slot in squares
        ${slot.type} *${slot.name}_line = ${slot.memory} + (unsigned long long)(tile_i * TILE + threadIdx.y) * n + tile_j * TILE${own_offset(slot)};
//% endfor
#pragma unroll ${unroll if is_short else 1}
        for (unsigned int top = 0; top < TILE; top += HEIGHT) {
            const unsigned int r = top + threadIdx.y;
#pragma unroll
            for (unsigned int group = 0; group < TILE; group += VECTOR * WIDTH) {
                ${values("[VECTOR]")}
#pragma unroll
                for (unsigned int k = 0; k < VECTOR; ++k) {
                    ${evaluate(line, column, "@_rows[r]", staged, "[k]", kept_column=kept)}
                    ${append("(" ~ line ~ ")", "(" ~ column ~ ")")}
                }
//# The vector store.
//% for slot in squares
                ${store(slot, slot.name ~ "_line + group")}
//% endfor
#pragma unroll
                for (unsigned int k = 0; k < VECTOR; ++k) {
//% for slot in slots
                    ${slot.name}_tile.at(VECTOR * threadIdx.x + group + k, r) = ${slot.value}[k];
//% endfor
                }
            }
//% for slot in squares
            ${slot.name}_line += step;
//% endfor
        }
        __syncthreads();
        // Vector stores above the diagonal, from the mirror.
//% for slot in squares
        ${slot.type} *${slot.name}_upper = ${slot.memory} + (unsigned long long)(tile_j * TILE + threadIdx.y) * n + tile_i * TILE;
//% endfor
#pragma unroll ${unroll}
        for (unsigned int top = 0; top < TILE; top += HEIGHT) {
//% for slot in squares
            ${slot.name}_tile.store<WIDTH>(${slot.name}_upper, top + threadIdx.y);
            ${slot.name}_upper += step;
//% endfor
        }
//% if packed
        // Packed rows start anywhere in a sector, so their values are stored one by one.
#pragma unroll ${unroll}
        for (unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < TILE * TILE; k += THREADS) {
            const unsigned int r = k / TILE, c = k % TILE;
            const unsigned int i = tile_i * TILE + r, j = tile_j * TILE + c;
//% for slot in packed
            ${slot.memory}[${domain.row_start("i")} + j] = ${slot.name}_tile.at(c, r);
//% endfor
        }
//% endif
//% endmacro

//% macro boundary()
        // A boundary tile, with the diagonal filter: only pairs ${domain.filter} inside the triangle.
        const unsigned int thread = threadIdx.y * WIDTH + threadIdx.x;
        for (unsigned int k = thread; k < TILE * TILE; k += THREADS) {
            const unsigned int r = k / TILE, c = k % TILE;
            const unsigned int i = tile_i * TILE + r, j = tile_j * TILE + c;
            if (${domain.has_pair}) {
                ${values()}
                ${evaluate("i", "j", "@_rows[r]", "@_cols.at(c)")}
                ${append("i", "j")}
//% for slot in squares
                ${slot.name}_tile.at(c, r) = ${slot.value};
//% endfor
//% for slot in packed
                ${slot.memory}[${domain.row_start("i")} + j] = ${slot.value};
//% endfor
//% if not diagonal
            } else if (i == j && ${domain.has_row("i")}) {
//% for slot in squares
                ${slot.name}_tile.at(c, r) = ${slot.name}_diagonal;
//% endfor
//% endif
            }
        }
        __syncthreads();
        for (unsigned int k = thread; k < TILE * TILE; k += THREADS) {
            const unsigned int r = k / TILE, c = k % TILE;
            if (${domain.has("tile_i * TILE + r", "tile_j * TILE + c", true)}) {
//% for slot in squares
                ${slot.name}_square[(unsigned long long)(tile_i * TILE + r) * n + tile_j * TILE + c] = ${slot.name}_tile.at(c, r);
//% endfor
            }
            if (${domain.has("tile_i * TILE + c", "tile_j * TILE + r", false)}) {
//% for slot in squares
                ${slot.name}_square[(unsigned long long)(tile_j * TILE + r) * n + tile_i * TILE + c] = ${slot.name}_tile.at(r, c);
//% endfor
            }
        }
//% endmacro

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
//% from "parts.cu" import evaluate, outputs, slot
//% from "over.cu" import over, unrolled, within

{% block work %}each pair once, for both halves of the square{% endblock %}

//% block stage
//% if each

    // Stage the elements of the tile's rows and columns.
    ${each|lines("__shared__ @.type @_rows[TILE];\n__shared__ td_columns<@.type, TILE> @_cols;")}
//% set stage_rows = each|lines("@_rows[k] = @_all[min(tile_i * TILE + k, n - 1)];")
//% set stage_columns = each|lines("@_cols.put(k, @_all[min(tile_j * TILE + k, n - 1)]);")
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
${slot.segments()}

    // The tile's values, for the half above the diagonal${" and for packed rows" if packed else ""}.
    ${slots|lines("__shared__ td_mirror<@.type, TILE, VECTOR> @_tile;")}
//# Vector stores in the upper half need every row of the squares to start at a multiple of 16 bytes.
    if (${domain.interior}${and_whole_vectors()}${slot.and_aligned(squares)}) {
        ${interior()}
    } else {
        ${boundary()}
    }
//% endblock

//# The condition, appended to others, that every row of the squares starts at a multiple of 16 bytes. `multiple` is the
//# largest of the slots' counts of elements, which is a multiple of the smaller ones.
{% macro and_whole_vectors() -%}
${" && n % " ~ multiple ~ " == 0" if multiple > 1 else ""}
{%- for square in squares if not square.has_known_size %} && n * sizeof(${square.type}) % 16 == 0{% endfor %}
{%- endmacro %}

//% macro interior()
//% set kept = "@_col[group / WIDTH + k]"
//% set staged = "@_cols.at(VECTOR * threadIdx.x, group + k)"
//% set line = "tile_i * TILE + r"
//% set column = "tile_j * TILE + VECTOR * threadIdx.x + group + k"
        // An interior tile: vector stores below the diagonal. The values are also put into the mirror.
        ${each|only("is_kept")|lines("@.type @_col[THREAD_COLUMNS];")}
        ${within("#pragma unroll\nfor (unsigned int group = 0; group < TILE; group += VECTOR * WIDTH)", within("#pragma unroll\nfor (unsigned int k = 0; k < VECTOR; ++k)", each|only("is_kept")|lines(kept ~ " = " ~ staged ~ ";")))}
        const unsigned long long step = (unsigned long long)HEIGHT * n; // from a row of the thread to its next row
        ${squares|lines("@.type *@_line = @.memory + (unsigned long long)(tile_i * TILE + threadIdx.y) * n + tile_j * TILE@.own_offset;")}
#pragma unroll ${unrolled(unroll)}
        for (unsigned int top = 0; top < TILE; top += HEIGHT) {
            const unsigned int r = top + threadIdx.y;
#pragma unroll
            for (unsigned int group = 0; group < TILE; group += VECTOR * WIDTH) {
                ${slot.begin_pair("[VECTOR]")}
#pragma unroll
                for (unsigned int k = 0; k < VECTOR; ++k) {
                    ${evaluate(line, column, "@_rows[r]", staged, "[k]", kept_column=kept)}
                    ${outputs.append("(" ~ line ~ ")", "(" ~ column ~ ")")}
                }
//# The vector store.
                ${slot.store(squares, "@_line + group")}
#pragma unroll
                for (unsigned int k = 0; k < VECTOR; ++k) {
                    ${slots|lines("@_tile.at(VECTOR * threadIdx.x + group + k, r) = @.value[k];")}
                }
            }
            ${squares|lines("@_line += step;")}
        }
        __syncthreads();
        // Vector stores above the diagonal, from the mirror.
        ${squares|lines("@.type *@_upper = @.memory + (unsigned long long)(tile_j * TILE + threadIdx.y) * n + tile_i * TILE;")}
#pragma unroll ${unroll}
        for (unsigned int top = 0; top < TILE; top += HEIGHT) {
            ${squares|lines("@_tile.store<WIDTH>(@_upper, top + threadIdx.y);\n@_upper += step;")}
        }
//% if packed
        // Packed rows start anywhere in a sector, so their values are stored one by one.
#pragma unroll ${unroll}
        for (unsigned int k = threadIdx.y * WIDTH + threadIdx.x; k < TILE * TILE; k += THREADS) {
            const unsigned int r = k / TILE, c = k % TILE;
            const unsigned int i = tile_i * TILE + r, j = tile_j * TILE + c;
            ${packed|lines("@.memory[" ~ domain.row_start("i") ~ " + j] = @_tile.at(c, r);")}
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
                ${slot.begin_pair()}
                ${evaluate("i", "j", "@_rows[r]", "@_cols.at(c)")}
                ${outputs.append("i", "j")}
                ${squares|lines("@_tile.at(c, r) = @.value;")}
                ${packed|lines("@.memory[" ~ domain.row_start("i") ~ " + j] = @.value;")}
//% if diagonal_squares
            } else if (i == j && ${domain.has_row("i")}) {
                ${squares|lines("@_tile.at(c, r) = @_diagonal;")}
//% endif
            }
        }
        __syncthreads();
        for (unsigned int k = thread; k < TILE * TILE; k += THREADS) {
            const unsigned int r = k / TILE, c = k % TILE;
            if (${domain.has("tile_i * TILE + r", "tile_j * TILE + c", true)}) {
                ${squares|lines("@_square[(unsigned long long)(tile_i * TILE + r) * n + tile_j * TILE + c] = @_tile.at(c, r);")}
            }
            if (${domain.has("tile_i * TILE + c", "tile_j * TILE + r", false)}) {
                ${squares|lines("@_square[(unsigned long long)(tile_j * TILE + r) * n + tile_i * TILE + c] = @_tile.at(r, c);")}
            }
        }
//% endmacro

// Locks the results of a block of elements until the end of the scope. An atomic for each result takes several times as long.
struct td_block_lock {
    unsigned int *lock;

    explicit td_block_lock(const unsigned int block)
    {
        static unsigned int locks[64];
        lock = locks + block % 64;
        while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0) {
        }
    }
    td_block_lock(const td_block_lock &) = delete;
    ~td_block_lock() { __atomic_store_n(lock, 0u, __ATOMIC_RELEASE); }
};

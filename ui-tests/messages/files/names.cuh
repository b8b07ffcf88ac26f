struct Sphere {
    float radius;
};

inline float sigma(float x) { return x; }
constexpr unsigned int n = 3, weights_length = 4;
#define lambda 3
#define float double
inline float names_pair(float x) { return LIMIT; }
constexpr float LIMIT = 2;

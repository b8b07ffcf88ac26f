// What bodies have, with what each must give: as far as the last digits where it is no whole number.
// The pair (1, 0) writes all of it; `values` has room for each one.
double *next = values;

// Functions of one number.
*next++ = acosf(0.375f); *next++ = acos(0.375); // 1.1863995522992576
*next++ = acoshf(2.75f); *next++ = acosh(2.75); // 1.66991903058777
*next++ = asinf(0.375f); *next++ = asin(0.375); // 0.3843967744956391
*next++ = asinhf(0.375f); *next++ = asinh(0.375); // 0.36672460423013675
*next++ = atanf(0.375f); *next++ = atan(0.375); // 0.35877067027057225
*next++ = atanhf(0.375f); *next++ = atanh(0.375); // 0.3942286801821351
*next++ = cbrtf(0.375f); *next++ = cbrt(0.375); // 0.7211247851537042
*next++ = ceilf(2.75f); *next++ = nearbyintf(2.75f); *next++ = rintf(2.75f); *next++ = roundf(2.75f); *next++ = ceil(2.75); // 3
*next++ = nearbyint(2.75); *next++ = rint(2.75); *next++ = round(2.75); // 3
*next++ = cosf(0.375f); *next++ = cos(0.375); // 0.9305076219123143
*next++ = coshf(0.375f); *next++ = cosh(0.375); // 1.0711403467045868
*next++ = cospif(0.375f); *next++ = cospi(0.375); // 0.3826834323650898
*next++ = cyl_bessel_i0f(0.375f); *next++ = cyl_bessel_i0(0.375); // 1.0354664501283921
*next++ = cyl_bessel_i1f(0.375f); *next++ = cyl_bessel_i1(0.375); // 0.19081526701982351
*next++ = erff(0.375f); *next++ = erf(0.375); // 0.4041169094348223
*next++ = erfcf(0.375f); *next++ = erfc(0.375); // 0.5958830905651777
*next++ = erfcinvf(0.375f); *next++ = erfcinv(0.375); // 0.6273073477885589
*next++ = erfcxf(0.375f); *next++ = erfcx(0.375); // 0.6858572331012929
*next++ = erfinvf(0.375f); *next++ = erfinv(0.375); // 0.3456171147832066
*next++ = expf(0.375f); *next++ = exp(0.375); // 1.4549914146182013
*next++ = exp10f(0.375f); *next++ = exp10(0.375); // 2.371373705661655
*next++ = exp2f(0.375f); *next++ = exp2(0.375); // 1.2968395546510096
*next++ = expm1f(0.375f); *next++ = expm1(0.375); // 0.45499141461820136
*next++ = fabsf(0.375f); *next++ = fabs(0.375); // 0.375
*next++ = floorf(2.75f); *next++ = truncf(2.75f); *next++ = floor(2.75); *next++ = trunc(2.75); // 2
*next++ = j0f(0.375f); *next++ = j0(0.375); // 0.9651515361328197
*next++ = j1f(0.375f); *next++ = j1(0.375); // 0.1842233569888976
*next++ = lgammaf(0.375f); *next++ = lgamma(0.375); // 0.8630739822706475
*next++ = logf(0.375f); *next++ = log(0.375); // -0.9808292530117262
*next++ = log10f(0.375f); *next++ = log10(0.375); // -0.42596873227228116
*next++ = log1pf(0.375f); *next++ = log1p(0.375); // 0.3184537311185346
*next++ = log2f(0.375f); *next++ = log2(0.375); // -1.415037499278844
*next++ = logbf(2.75f); *next++ = logb(2.75); // 1
*next++ = normcdff(0.375f); *next++ = normcdf(0.375); // 0.6461697666727237
*next++ = normcdfinvf(0.375f); *next++ = normcdfinv(0.375); // -0.31863936396437514
*next++ = rcbrtf(0.375f); *next++ = rcbrt(0.375); // 1.3867225487012695
*next++ = rsqrtf(0.375f); *next++ = rsqrt(0.375); // 1.6329931618554523
*next++ = sinf(0.375f); *next++ = sin(0.375); // 0.36627252908604757
*next++ = sinhf(0.375f); *next++ = sinh(0.375); // 0.38385106791361456
*next++ = sinpif(0.375f); *next++ = sinpi(0.375); // 0.9238795325112867
*next++ = sqrtf(0.375f); *next++ = sqrt(0.375); // 0.6123724356957945
*next++ = tanf(0.375f); *next++ = tan(0.375); // 0.39362657592563277
*next++ = tanhf(0.375f); *next++ = tanh(0.375); // 0.35835739835078595
*next++ = tgammaf(0.375f); *next++ = tgamma(0.375); // 2.370436184416601
*next++ = y0f(0.375f); *next++ = y0(0.375); // -0.6518002057932571
*next++ = y1f(0.375f); *next++ = y1(0.375); // -1.8833618144505455

// Functions of two numbers.
*next++ = atan2f(2.5f, 0.75f); *next++ = atan2(2.5, 0.75); // 1.2793395323170296
*next++ = copysignf(2.5f, 0.75f); *next++ = fmaxf(2.5f, 0.75f); *next++ = copysign(2.5, 0.75); *next++ = fmax(2.5, 0.75); // 2.5
*next++ = fdimf(2.5f, 0.75f); *next++ = fdim(2.5, 0.75); // 1.75
*next++ = fminf(2.5f, 0.75f); *next++ = fmin(2.5, 0.75); // 0.75
*next++ = fmodf(2.5f, 0.75f); *next++ = remainderf(2.5f, 0.75f); *next++ = fdividef(1.0f, 4.0f); *next++ = fmod(2.5, 0.75); // 0.25
*next++ = remainder(2.5, 0.75); // 0.25
*next++ = hypotf(2.5f, 0.75f); *next++ = hypot(2.5, 0.75); // 2.6100766272276377
*next++ = powf(2.5f, 0.75f); *next++ = pow(2.5, 0.75); // 1.9881768219176266
*next++ = rhypotf(2.5f, 0.75f); *next++ = rhypot(2.5, 0.75); // 0.38313051408846055
*next++ = nextafterf(1.0f, 2.0f) > 1.0f; *next++ = nextafter(1.0, 2.0) > 1.0; // 1

// Other functions of floats and doubles.
*next++ = fmaf(2.0f, 3.0f, 4.0f); *next++ = fma(2.0, 3.0, 4.0); // 10
*next++ = ldexpf(1.5f, 3); *next++ = ldexp(1.5, 3); *next++ = scalbnf(1.5f, 3); *next++ = scalbn(1.5, 3); // 12
*next++ = ilogbf(9.0f); *next++ = ilogb(9.0); *next++ = lroundf(2.5f); *next++ = lround(2.5); // 3
*next++ = norm3df(1.5f, 2.0f, 2.5f); *next++ = norm3d(1.5, 2.0, 2.5); // 3.5355339059327378
*next++ = norm4df(1.0f, 1.0f, 1.0f, 2.0f); *next++ = norm4d(1.0, 1.0, 1.0, 2.0); // 2.6457513110645907
*next++ = rnorm3df(1.5f, 2.0f, 2.5f); *next++ = rnorm3d(1.5, 2.0, 2.5); // 0.282842712474619
*next++ = rnorm4df(1.0f, 1.0f, 1.0f, 2.0f); *next++ = rnorm4d(1.0, 1.0, 1.0, 2.0); // 0.3779644730092272
*next++ = lrintf(2.5f); *next++ = lrint(2.5); // 2
*next++ = llrintf(3.5f); *next++ = llrint(3.5); // 4
*next++ = llroundf(-2.5f); *next++ = llround(-2.5); // -3
*next++ = isnan(NAN); *next++ = isinf(INFINITY); *next++ = isfinite(1.0f); *next++ = signbit(-1.0f) != 0; // 1
*next++ = sqrt(2.25f); *next++ = abs(-1.5f); *next++ = abs(-1.5); *next++ = min(1.5f, 2.5f); // 1.5
*next++ = fabs(-2.5f); *next++ = max(1.5, 2.5); // 2.5

// Functions that write through pointers.
{ float sine, cosine; sincosf(0.5f, &sine, &cosine); *next++ = sine + cosine; } // 1.3570081004945758
{ double sine, cosine; sincos(0.5, &sine, &cosine); *next++ = sine + cosine; } // 1.3570081004945758
{ float sine, cosine; sincospif(0.5f, &sine, &cosine); *next++ = sine + cosine; } // 1
{ double sine, cosine; sincospi(0.5, &sine, &cosine); *next++ = sine + cosine; } // 1
{ float whole; const float rest = modff(2.75f, &whole); *next++ = whole + 10 * rest; } // 9.5
{ double whole; const double rest = modf(2.75, &whole); *next++ = whole + 10 * rest; } // 9.5
{ int power; const float part = frexpf(12.0f, &power); *next++ = part + power; } // 4.75
{ int power; const double part = frexp(12.0, &power); *next++ = part + power; } // 4.75
{ int bits; const float rest = remquof(7.0f, 2.0f, &bits); *next++ = rest + (bits & 7); } // 3

// Arithmetic rounded to the nearest.
*next++ = __fadd_rn(1.5f, 2.0f); *next++ = __dadd_rn(1.5, 2.0); // 3.5
*next++ = __fsub_rn(1.5f, 2.0f); *next++ = __dsub_rn(1.5, 2.0); // -0.5
*next++ = __fmul_rn(1.5f, 2.0f); *next++ = __dmul_rn(1.5, 2.0); // 3
*next++ = __fdiv_rn(1.5f, 2.0f); *next++ = __ddiv_rn(1.5, 2.0); // 0.75
*next++ = __frcp_rn(4.0f); *next++ = __drcp_rn(4.0); // 0.25
*next++ = __fsqrt_rn(2.25f); *next++ = __dsqrt_rn(2.25); // 1.5
*next++ = __frsqrt_rn(4.0f); // 0.5
*next++ = __fmaf_rn(2.0f, 3.0f, 4.0f); *next++ = __fma_rn(2.0, 3.0, 4.0); // 10

// Arithmetic rounded towards zero, down and up.
*next++ = __fadd_rz(1.0f, -1e-9f) < 1.0f; *next++ = __fsub_rz(1.0f, 1e-9f) < 1.0f; // 1
*next++ = __fmul_rz(1.1f, 1.1f) <= 1.1f * 1.1f; *next++ = __fdiv_rz(1.0f, 3.0f) <= 1.0f / 3.0f; // 1
*next++ = __frcp_rz(3.0f) <= 1.0f / 3.0f; *next++ = __fsqrt_rz(2.0f) <= sqrtf(2.0f); // 1
*next++ = __fmaf_rz(1.0f, 1.0f, -1e-9f) < 1.0f; *next++ = __dadd_rz(1.0, -1e-20) < 1.0; *next++ = __dsub_rz(1.0, 1e-20) < 1.0; // 1
*next++ = __dmul_rz(0.1, 0.1) <= 0.1 * 0.1; *next++ = __ddiv_rz(1.0, 3.0) <= 1.0 / 3.0; *next++ = __drcp_rz(3.0) <= 1.0 / 3.0; // 1
*next++ = __dsqrt_rz(2.0) <= sqrt(2.0); *next++ = __fma_rz(1.0, 1.0, -1e-20) < 1.0; *next++ = __fadd_rd(1.0f, -1e-9f) < 1.0f; // 1
*next++ = __fsub_rd(1.0f, 1e-9f) < 1.0f; *next++ = __fmul_rd(1.1f, 1.1f) <= 1.1f * 1.1f; // 1
*next++ = __fdiv_rd(1.0f, 3.0f) <= 1.0f / 3.0f; *next++ = __frcp_rd(3.0f) <= 1.0f / 3.0f; // 1
*next++ = __fsqrt_rd(2.0f) <= sqrtf(2.0f); *next++ = __fmaf_rd(1.0f, 1.0f, -1e-9f) < 1.0f; // 1
*next++ = __dadd_rd(1.0, -1e-20) < 1.0; *next++ = __dsub_rd(1.0, 1e-20) < 1.0; *next++ = __dmul_rd(0.1, 0.1) <= 0.1 * 0.1; // 1
*next++ = __ddiv_rd(1.0, 3.0) <= 1.0 / 3.0; *next++ = __drcp_rd(3.0) <= 1.0 / 3.0; *next++ = __dsqrt_rd(2.0) <= sqrt(2.0); // 1
*next++ = __fma_rd(1.0, 1.0, -1e-20) < 1.0; *next++ = __fadd_ru(1.0f, 1e-9f) > 1.0f; *next++ = __fsub_ru(1.0f, -1e-9f) > 1.0f; // 1
*next++ = __fmul_ru(1.1f, 1.1f) >= 1.1f * 1.1f; *next++ = __fdiv_ru(1.0f, 3.0f) >= 1.0f / 3.0f; // 1
*next++ = __frcp_ru(3.0f) >= 1.0f / 3.0f; *next++ = __fsqrt_ru(2.0f) >= sqrtf(2.0f); // 1
*next++ = __fmaf_ru(1.0f, 1.0f, 1e-9f) > 1.0f; *next++ = __dadd_ru(1.0, 1e-20) > 1.0; *next++ = __dsub_ru(1.0, -1e-20) > 1.0; // 1
*next++ = __dmul_ru(0.1, 0.1) >= 0.1 * 0.1; *next++ = __ddiv_ru(1.0, 3.0) >= 1.0 / 3.0; *next++ = __drcp_ru(3.0) >= 1.0 / 3.0; // 1
*next++ = __dsqrt_ru(2.0) >= sqrt(2.0); *next++ = __fma_ru(1.0, 1.0, 1e-20) > 1.0; // 1

// Fast approximations.
*next++ = __cosf(0.5f); // 0.8775825618903728
*next++ = __sinf(0.5f); // 0.479425538604203
*next++ = __tanf(0.5f); // 0.5463024898437905
*next++ = __expf(0.5f); // 1.6487212707001282
*next++ = __exp10f(0.5f); // 3.1622776601683795
*next++ = __logf(0.5f); // -0.6931471805599453
*next++ = __log2f(0.75f); // -0.4150374992788438
*next++ = __log10f(0.5f); // -0.3010299956639812
*next++ = __powf(2.0f, 1.5f); // 2.8284271247461903
*next++ = __fdividef(1.0f, 4.0f); // 0.25
*next++ = __saturatef(1.5f); // 1

// Integers.
*next++ = abs(-3); *next++ = labs(-3l); *next++ = llabs(-3ll); *next++ = __ffs(12); *next++ = __ffsll(12ll); // 3
*next++ = __funnelshift_l(0x80000000u, 1u, 1u); // 3
*next++ = min(-1, 2); *next++ = llmin(-1ll, 2ll); *next++ = __mulhi(-2, 1 << 30); *next++ = __mul64hi(-1ll, 5ll); // -1
*next++ = __hadd(-3, 2); // -1
*next++ = max(1u, 2u); *next++ = umax(1u, 2u); *next++ = llmax(-1ll, 2ll); *next++ = ullmax(1ull, 2ull); // 2
*next++ = __umul64hi(1ull << 63, 4ull); // 2
*next++ = umin(1u, 2u); *next++ = ullmin(1ull, 2ull); *next++ = __funnelshift_r(8u, 0u, 3u); // 1
*next++ = __brev(1u); // 2147483648
*next++ = __brevll(2ull); // 4.611686018427388e+18
*next++ = __clz(5); // 29
*next++ = __clzll(5ll); // 61
*next++ = __popc(0xf0f0u); // 8
*next++ = __popcll(~0ull); // 64
*next++ = __umulhi(0xffffffffu, 16u); *next++ = __umul24(3u, 5u); *next++ = __usad(9u, 4u, 10u); // 15
*next++ = __mul24(-3, 5); // -15
*next++ = __rhadd(-3, 2); // 0
*next++ = __uhadd(5u, 6u); *next++ = __funnelshift_lc(5u, 7u, 40u); // 5
*next++ = __urhadd(5u, 6u); // 6
*next++ = __sad(-3, 4, 10u); // 17
*next++ = __byte_perm(0x33221100u, 0x77665544u, 0x7410u); // 2000949504
*next++ = __funnelshift_rc(5u, 7u, 40u); // 7

// The two halves of a word.
*next++ = __vabs2(0x80ff0173u); *next++ = __vabsss2(0x80ff0173u); // 2130772339
*next++ = __vneg2(0x80ff0173u); *next++ = __vnegss2(0x80ff0173u); // 2130837133
*next++ = __vadd2(0x80ff0173u, 0x1fe0290u); *next++ = __vaddss2(0x80ff0173u, 0x1fe0290u); // 2197619715
*next++ = __vaddus2(0x80ff0173u, 0x1fe0290u); // 2197619715
*next++ = __vsub2(0x80ff0173u, 0x1fe0290u); // 2130837219
*next++ = __vsubss2(0x80ff0173u, 0x1fe0290u); // 2147548899
*next++ = __vsubus2(0x80ff0173u, 0x1fe0290u); // 2130771968
*next++ = __vabsdiffs2(0x80ff0173u, 0x1fe0290u); // 2164195613
*next++ = __vabsdiffu2(0x80ff0173u, 0x1fe0290u); // 2130772253
*next++ = __vavgu2(0x80ff0173u, 0x1fe0290u); // 1098842626
*next++ = __vhaddu2(0x80ff0173u, 0x1fe0290u); // 1098777089
*next++ = __vmaxs2(0x80ff0173u, 0x1fe0290u); // 33424016
*next++ = __vmaxu2(0x80ff0173u, 0x1fe0290u); // 2164195984
*next++ = __vmins2(0x80ff0173u, 0x1fe0290u); // 2164195699
*next++ = __vminu2(0x80ff0173u, 0x1fe0290u); // 33423731
*next++ = __vsads2(0x80ff0173u, 0x1fe0290u); // 33308
*next++ = __vsadu2(0x80ff0173u, 0x1fe0290u); // 32798
*next++ = __vcmpeq2(0x80ff0173u, 0x1fe0290u); *next++ = __vseteq2(0x80ff0173u, 0x1fe0290u); // 0
*next++ = __vcmpges2(0x80ff0173u, 0x1fe0290u); *next++ = __vsetges2(0x80ff0173u, 0x1fe0290u); // 0
*next++ = __vcmpgts2(0x80ff0173u, 0x1fe0290u); *next++ = __vsetgts2(0x80ff0173u, 0x1fe0290u); // 0
*next++ = __vcmpne2(0x80ff0173u, 0x1fe0290u); *next++ = __vcmples2(0x80ff0173u, 0x1fe0290u); // 4294967295
*next++ = __vcmplts2(0x80ff0173u, 0x1fe0290u); // 4294967295
*next++ = __vsetne2(0x80ff0173u, 0x1fe0290u); *next++ = __vsetles2(0x80ff0173u, 0x1fe0290u); // 65537
*next++ = __vsetlts2(0x80ff0173u, 0x1fe0290u); // 65537
*next++ = __vcmpgeu2(0x80ff0173u, 0x1fe0290u); *next++ = __vcmpgtu2(0x80ff0173u, 0x1fe0290u); // 4294901760
*next++ = __vsetgeu2(0x80ff0173u, 0x1fe0290u); *next++ = __vsetgtu2(0x80ff0173u, 0x1fe0290u); // 65536
*next++ = __vcmpleu2(0x80ff0173u, 0x1fe0290u); *next++ = __vcmpltu2(0x80ff0173u, 0x1fe0290u); // 65535
*next++ = __vsetleu2(0x80ff0173u, 0x1fe0290u); *next++ = __vsetltu2(0x80ff0173u, 0x1fe0290u); // 1

// The four bytes of a word.
*next++ = __vabs4(0x80ff0173u); // 2147549555
*next++ = __vabsss4(0x80ff0173u); // 2130772339
*next++ = __vneg4(0x80ff0173u); // 2147614605
*next++ = __vnegss4(0x80ff0173u); // 2130837389
*next++ = __vadd4(0x80ff0173u, 0x1fe0290u); *next++ = __vaddss4(0x80ff0173u, 0x1fe0290u); // 2180842243
*next++ = __vaddus4(0x80ff0173u, 0x1fe0290u); // 2180973567
*next++ = __vsub4(0x80ff0173u, 0x1fe0290u); // 2130837475
*next++ = __vsubss4(0x80ff0173u, 0x1fe0290u); // 2147614591
*next++ = __vsubus4(0x80ff0173u, 0x1fe0290u); // 2130771968
*next++ = __vabsdiffs4(0x80ff0173u, 0x1fe0290u); // 2164326883
*next++ = __vabsdiffu4(0x80ff0173u, 0x1fe0290u); // 2130772253
*next++ = __vavgu4(0x80ff0173u, 0x1fe0290u); // 1107231362
*next++ = __vhaddu4(0x80ff0173u, 0x1fe0290u); // 1090388353
*next++ = __vmaxs4(0x80ff0173u, 0x1fe0290u); // 33489523
*next++ = __vmaxu4(0x80ff0173u, 0x1fe0290u); // 2164195984
*next++ = __vmins4(0x80ff0173u, 0x1fe0290u); // 2164130192
*next++ = __vminu4(0x80ff0173u, 0x1fe0290u); // 33423731
*next++ = __vsads4(0x80ff0173u, 0x1fe0290u); // 358
*next++ = __vsadu4(0x80ff0173u, 0x1fe0290u); // 158
*next++ = __vcmpeq4(0x80ff0173u, 0x1fe0290u); *next++ = __vseteq4(0x80ff0173u, 0x1fe0290u); // 0
*next++ = __vcmpne4(0x80ff0173u, 0x1fe0290u); // 4294967295
*next++ = __vsetne4(0x80ff0173u, 0x1fe0290u); // 16843009
*next++ = __vcmpges4(0x80ff0173u, 0x1fe0290u); *next++ = __vcmpgts4(0x80ff0173u, 0x1fe0290u); // 16711935
*next++ = __vsetges4(0x80ff0173u, 0x1fe0290u); *next++ = __vsetgts4(0x80ff0173u, 0x1fe0290u); // 65537
*next++ = __vcmpgeu4(0x80ff0173u, 0x1fe0290u); *next++ = __vcmpgtu4(0x80ff0173u, 0x1fe0290u); // 4294901760
*next++ = __vsetgeu4(0x80ff0173u, 0x1fe0290u); *next++ = __vsetgtu4(0x80ff0173u, 0x1fe0290u); // 16842752
*next++ = __vcmples4(0x80ff0173u, 0x1fe0290u); *next++ = __vcmplts4(0x80ff0173u, 0x1fe0290u); // 4278255360
*next++ = __vsetles4(0x80ff0173u, 0x1fe0290u); *next++ = __vsetlts4(0x80ff0173u, 0x1fe0290u); // 16777472
*next++ = __vcmpleu4(0x80ff0173u, 0x1fe0290u); *next++ = __vcmpltu4(0x80ff0173u, 0x1fe0290u); // 65535
*next++ = __vsetleu4(0x80ff0173u, 0x1fe0290u); *next++ = __vsetltu4(0x80ff0173u, 0x1fe0290u); // 257

// Bits and conversions.
*next++ = __float_as_int(1.0f); // 1065353216
*next++ = __float_as_uint(-0.0f); // 2147483648
*next++ = __int_as_float(0x40000000); *next++ = __float2uint_rn(2.5f); *next++ = __float2ull_rn(2.5f); // 2
*next++ = __float2uint_rz(2.5f); *next++ = __float2ull_rz(2.5f); *next++ = __float2uint_rd(2.5f); // 2
*next++ = __float2ull_rd(2.5f); *next++ = __double2uint_rn(2.5); *next++ = __double2ull_rn(2.5); // 2
*next++ = __double2uint_rz(2.5); *next++ = __double2ull_rz(2.5); *next++ = __double2uint_rd(2.5); // 2
*next++ = __double2ull_rd(2.5); // 2
*next++ = __uint_as_float(0x3f000000u); // 0.5
*next++ = __longlong_as_double(__double_as_longlong(2.5)); // 2.5
*next++ = __hiloint2double(__double2hiint(-1.25), __double2loint(-1.25)); // -1.25
*next++ = __float2int_rn(-2.5f); *next++ = __float2ll_rn(-2.5f); *next++ = __float2int_rz(-2.5f); // -2
*next++ = __float2ll_rz(-2.5f); *next++ = __float2int_ru(-2.5f); *next++ = __float2ll_ru(-2.5f); // -2
*next++ = __double2int_rn(-2.5); *next++ = __double2ll_rn(-2.5); *next++ = __double2int_rz(-2.5); // -2
*next++ = __double2ll_rz(-2.5); *next++ = __double2int_ru(-2.5); *next++ = __double2ll_ru(-2.5); // -2
*next++ = __float2int_rd(-2.5f); *next++ = __float2ll_rd(-2.5f); *next++ = __double2int_rd(-2.5); // -3
*next++ = __double2ll_rd(-2.5); // -3
*next++ = __float2uint_ru(2.5f); *next++ = __float2ull_ru(2.5f); *next++ = __double2uint_ru(2.5); // 3
*next++ = __double2ull_ru(2.5); *next++ = __ll2float_rn(3ll); *next++ = __ull2float_rn(3ull); *next++ = __int2double_rn(3); // 3
*next++ = __uint2double_rn(3u); *next++ = __ll2double_rn(3ll); *next++ = __ull2double_rn(3ull); // 3
*next++ = __int2float_rn(16777217); *next++ = __uint2float_rn(16777217u); *next++ = __double2float_rn(16777217.0); // 16777216
*next++ = __int2float_rz(16777217); *next++ = __uint2float_rz(16777217u); *next++ = __double2float_rz(16777217.0); // 16777216
*next++ = __int2float_rd(16777217); *next++ = __uint2float_rd(16777217u); *next++ = __double2float_rd(16777217.0); // 16777216
*next++ = __int2float_ru(16777217); *next++ = __uint2float_ru(16777217u); *next++ = __double2float_ru(16777217.0); // 16777218

// Vectors.
*next++ = make_char1(1).x; *next++ = make_uchar1(1).x; *next++ = make_short1(1).x; *next++ = make_ushort1(1).x; // 1
*next++ = make_int1(1).x; *next++ = make_uint1(1).x; *next++ = make_longlong1(1).x; *next++ = make_ulonglong1(1).x; // 1
*next++ = make_float1(1).x; *next++ = make_double1(1).x; // 1
*next++ = make_char2(1, 2).y; *next++ = make_uchar2(1, 2).y; *next++ = make_short2(1, 2).y; *next++ = make_ushort2(1, 2).y; // 2
*next++ = make_int2(1, 2).y; *next++ = make_uint2(1, 2).y; *next++ = make_longlong2(1, 2).y; *next++ = make_ulonglong2(1, 2).y; // 2
*next++ = make_float2(1, 2).y; *next++ = make_double2(1, 2).y; // 2
*next++ = make_char3(1, 2, 3).z; *next++ = make_uchar3(1, 2, 3).z; *next++ = make_short3(1, 2, 3).z; // 3
*next++ = make_ushort3(1, 2, 3).z; *next++ = make_int3(1, 2, 3).z; *next++ = make_uint3(1, 2, 3).z; // 3
*next++ = make_longlong3(1, 2, 3).z; *next++ = make_ulonglong3(1, 2, 3).z; *next++ = make_float3(1, 2, 3).z; // 3
*next++ = make_double3(1, 2, 3).z; // 3
*next++ = make_char4(1, 2, 3, 4).w; *next++ = make_uchar4(1, 2, 3, 4).w; *next++ = make_short4(1, 2, 3, 4).w; // 4
*next++ = make_ushort4(1, 2, 3, 4).w; *next++ = make_int4(1, 2, 3, 4).w; *next++ = make_uint4(1, 2, 3, 4).w; // 4
*next++ = make_float4(1, 2, 3, 4).w; // 4

// Types.
*next++ = sizeof(int8_t); *next++ = sizeof(uint8_t); // 1
*next++ = sizeof(int16_t); *next++ = sizeof(uint16_t); // 2
*next++ = sizeof(int32_t); *next++ = sizeof(uint32_t); // 4
*next++ = sizeof(int64_t); *next++ = sizeof(uint64_t); *next++ = sizeof(size_t); *next++ = sizeof(unsigned long long); // 8
*next++ = sizeof(long long); // 8
*next++ = (uint8_t)300; // 44
*next++ = (int16_t)40000; // -25536
*next++ = (uint64_t)1 << 40; // 1099511627776

// Constants.
*next++ = CHAR_BIT; // 8
*next++ = DBL_EPSILON; // 2.220446049250313e-16
*next++ = DBL_MAX; // 1.7976931348623157e+308
*next++ = DBL_MIN; // 2.2250738585072014e-308
*next++ = FLT_EPSILON; // 1.1920928955078125e-07
*next++ = FLT_MAX; // 3.4028234663852886e+38
*next++ = FLT_MIN; // 1.1754943508222875e-38
*next++ = HUGE_VAL > DBL_MAX; *next++ = HUGE_VALF > FLT_MAX; *next++ = INFINITY > FLT_MAX; *next++ = NAN != NAN; // 1
*next++ = INT16_MAX; // 32767
*next++ = INT16_MIN; // -32768
*next++ = INT32_MAX; *next++ = INT_MAX; // 2147483647
*next++ = INT32_MIN; *next++ = INT_MIN; // -2147483648
*next++ = INT64_MAX; *next++ = LLONG_MAX; // 9.223372036854776e+18
*next++ = INT64_MIN; *next++ = LLONG_MIN; // -9.223372036854776e+18
*next++ = INT8_MAX; // 127
*next++ = INT8_MIN; // -128
*next++ = M_1_PI; // 0.3183098861837907
*next++ = M_2_PI; // 0.6366197723675814
*next++ = M_2_SQRTPI; // 1.1283791670955126
*next++ = M_E; // 2.718281828459045
*next++ = M_LN10; // 2.302585092994046
*next++ = M_LN2; // 0.6931471805599453
*next++ = M_LOG10E; // 0.4342944819032518
*next++ = M_LOG2E; // 1.4426950408889634
*next++ = M_PI; // 3.141592653589793
*next++ = M_PI_2; // 1.5707963267948966
*next++ = M_PI_4; // 0.7853981633974483
*next++ = M_SQRT1_2; // 0.7071067811865476
*next++ = M_SQRT2; // 1.4142135623730951
*next++ = UINT16_MAX; // 65535
*next++ = UINT32_MAX; *next++ = UINT_MAX; // 4294967295
*next++ = UINT64_MAX; *next++ = ULLONG_MAX; // 1.8446744073709552e+19
*next++ = UINT8_MAX; // 255

// Atomics, and others.
{ static_assert(sizeof(int) == 4, ""); assert(n == 2); if (n != 2) printf("%u\n", n); float a = 2.5f, b; memcpy(&b, &a, sizeof b); *next++ = b; } // 2.5
{ unsigned int word; memset(&word, 1, sizeof word); *next++ = word; } // 16843009
counts[0] = 5; *next++ = atomicAdd(counts, 3u) + 100 * counts[0]; // 805
counts[0] = 5; *next++ = atomicSub(counts, 3u) + 100 * counts[0]; // 205
counts[0] = 5; *next++ = atomicExch(counts, 3u) + 100 * counts[0]; // 305
counts[0] = 5; *next++ = atomicMin(counts, 3u) + 100 * counts[0]; // 305
counts[0] = 5; *next++ = atomicMax(counts, 9u) + 100 * counts[0]; // 905
counts[0] = 5; *next++ = atomicInc(counts, 5u) + 100 * counts[0]; // 5
counts[0] = 5; *next++ = atomicDec(counts, 9u) + 100 * counts[0]; // 405
counts[0] = 5; *next++ = atomicAnd(counts, 4u) + 100 * counts[0]; // 405
counts[0] = 5; *next++ = atomicOr(counts, 8u) + 100 * counts[0]; // 1305
counts[0] = 5; *next++ = atomicXor(counts, 1u) + 100 * counts[0]; // 405
counts[0] = 5; *next++ = atomicCAS(counts, 5u, 7u) + 100 * counts[0]; // 705

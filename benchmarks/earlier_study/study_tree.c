/* CART and small forests for many training sets of one sample, for the study only.
   Features are sorted once a sample; every training set filters those orders. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static uint32_t draw(uint32_t bound) {
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return (uint32_t)((state >> 11) % bound);
}

typedef struct { int first, last, node; } Task;

/* X (d, n), order (d, n), y (n) class numbers or targets, n_classes 0: regression.
   W (F, n) training weights 0/1, T (F, n) rows to predict.
   out (F, n, max(n_classes, 1)): mean over trees of leaf proportions or means. */
void fit_trees(int n, int d, const double *X, const int32_t *order, const double *y,
               int n_classes, int F, const uint8_t *W, const uint8_t *T,
               int n_trees, int max_features, int min_split, uint64_t seed, double *out)
{
    int C = n_classes ? n_classes : 1;
    int32_t *idx = malloc(sizeof(int32_t) * (size_t)d * n), *tmp = malloc(sizeof(int32_t) * n);
    int *weight = malloc(sizeof(int) * n), *feats = malloc(sizeof(int) * d), *perm = malloc(sizeof(int) * d);
    uint8_t *goes = malloc(n);
    int *nf = malloc(sizeof(int) * 2 * n + 8), *left = malloc(sizeof(int) * 2 * n + 8), *right = malloc(sizeof(int) * 2 * n + 8);
    double *thr = malloc(sizeof(double) * 2 * n + 8), *val = malloc(sizeof(double) * (2 * (size_t)n + 1) * C);
    double *L = malloc(sizeof(double) * C), *R = malloc(sizeof(double) * C), *tot = malloc(sizeof(double) * C);
    Task *stack = malloc(sizeof(Task) * (2 * n + 2));
    int32_t *pool = malloc(sizeof(int32_t) * n);
    state = seed * 2654435761u + 88172645463325252ull;
    memset(out, 0, sizeof(double) * (size_t)F * n * C);
    for (int f = 0; f < F; f++) {
        const uint8_t *w = W + (size_t)f * n, *t = T + (size_t)f * n;
        double *o = out + (size_t)f * n * C;
        int n_pool = 0;
        for (int i = 0; i < n; i++) if (w[i]) pool[n_pool++] = i;
        for (int tree = 0; tree < n_trees; tree++) {
            if (n_trees == 1) for (int i = 0; i < n; i++) weight[i] = w[i];
            else {
                memset(weight, 0, sizeof(int) * n);
                for (int k = 0; k < n_pool; k++) weight[pool[draw(n_pool)]]++;
            }
            int m = 0, used = 0;
            for (int i = 0; i < n; i++) m += weight[i] > 0;
            for (int j = 0; j < d; j++) {
                int32_t *dst = idx + (size_t)used * n; const int32_t *src = order + (size_t)j * n;
                int k = 0;
                for (int i = 0; i < n; i++) if (weight[src[i]]) dst[k++] = src[i];
                if (X[(size_t)j * n + dst[m - 1]] - X[(size_t)j * n + dst[0]] > 1e-7) feats[used++] = j;
            }
            int n_nodes = 1, top = 0;
            if (used == 0) { /* a leaf */
                int32_t *dst = idx; int k = 0;
                for (int i = 0; i < n; i++) if (weight[i]) dst[k++] = i;
            }
            stack[top++] = (Task){0, m, 0};
            while (top) {
                Task s = stack[--top];
                const int32_t *rows = idx;
                double total = 0, best = -1, sq = 0; int bf = -1, bpos = 0;
                memset(tot, 0, sizeof(double) * C);
                double ymin = 1e300, ymax = -1e300;
                for (int k = s.first; k < s.last; k++) {
                    int i = rows[k]; double wi = weight[i];
                    total += wi;
                    if (n_classes) tot[(int)y[i]] += wi; else tot[0] += wi * y[i];
                    if (y[i] < ymin) ymin = y[i];
                    if (y[i] > ymax) ymax = y[i];
                }
                double *v = val + (size_t)s.node * C;
                for (int c = 0; c < C; c++) { v[c] = tot[c] / total; sq += tot[c] * tot[c]; }
                nf[s.node] = -1;
                if (used == 0 || ymax - ymin < 1e-12 || s.last - s.first < min_split) continue;
                for (int j = 0; j < used; j++) perm[j] = j;
                int seen = 0;
                for (int j = 0; j < used && seen < max_features; j++) {
                    int swap = j + draw(used - j), u = perm[swap];
                    perm[swap] = perm[j]; perm[j] = u;
                    const int32_t *ix = idx + (size_t)u * n; const double *x = X + (size_t)feats[u] * n;
                    if (x[ix[s.last - 1]] - x[ix[s.first]] <= 1e-7) continue;
                    seen++;
                    double wl = 0, sl = 0, sr = sq;
                    if (n_classes) { memset(L, 0, sizeof(double) * C); memcpy(R, tot, sizeof(double) * C); }
                    double suml = 0;
                    for (int k = s.first; k < s.last - 1; k++) {
                        int i = ix[k]; double wi = weight[i];
                        wl += wi;
                        if (n_classes) {
                            int c = (int)y[i];
                            sl += 2 * wi * L[c] + wi * wi; L[c] += wi;
                            sr += -2 * wi * R[c] + wi * wi; R[c] -= wi;
                        } else suml += wi * y[i];
                        if (x[ix[k + 1]] - x[i] <= 1e-7) continue;
                        double gain = n_classes ? sl / wl + sr / (total - wl)
                            : suml * suml / wl + (tot[0] - suml) * (tot[0] - suml) / (total - wl);
                        if (gain > best + 1e-12 || bf < 0) { best = gain; bf = u; bpos = k; }
                    }
                }
                if (bf < 0) continue;
                const int32_t *ix = idx + (size_t)bf * n; const double *x = X + (size_t)feats[bf] * n;
                nf[s.node] = feats[bf]; thr[s.node] = (x[ix[bpos]] + x[ix[bpos + 1]]) / 2;
                if (thr[s.node] >= x[ix[bpos + 1]]) thr[s.node] = x[ix[bpos]];
                for (int k = s.first; k < s.last; k++) goes[ix[k]] = k <= bpos;
                for (int u = 0; u < used; u++) {
                    if (u == bf) continue;
                    int32_t *a = idx + (size_t)u * n; int l = s.first, r = 0;
                    for (int k = s.first; k < s.last; k++) if (goes[a[k]]) a[l++] = a[k]; else tmp[r++] = a[k];
                    memcpy(a + l, tmp, sizeof(int32_t) * r);
                }
                left[s.node] = n_nodes; right[s.node] = n_nodes + 1;
                stack[top++] = (Task){bpos + 1, s.last, n_nodes + 1};
                stack[top++] = (Task){s.first, bpos + 1, n_nodes};
                n_nodes += 2;
            }
            for (int i = 0; i < n; i++) {
                if (!t[i]) continue;
                int node = 0;
                while (nf[node] >= 0) node = X[(size_t)nf[node] * n + i] <= thr[node] ? left[node] : right[node];
                for (int c = 0; c < C; c++) o[(size_t)i * C + c] += val[(size_t)node * C + c] / n_trees;
            }
        }
    }
    free(idx); free(tmp); free(weight); free(feats); free(perm); free(goes); free(nf); free(left); free(right);
    free(thr); free(val); free(L); free(R); free(tot); free(stack); free(pool);
}

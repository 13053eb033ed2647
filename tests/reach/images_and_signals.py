"""Image and signal processing: filters, edges, thresholds, labels, transforms, peaks, compression."""

import math
from collections import deque

import numpy as np


def convolve2d(image, kernel):
    kh, kw = kernel.shape
    padded = np.pad(image, ((kh // 2, kh // 2), (kw // 2, kw // 2)), mode="edge")
    out = np.zeros(image.shape)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = np.sum(padded[i : i + kh, j : j + kw] * kernel)
    return out


def sobel(image):
    gx = np.zeros_like(image)
    gy = np.zeros_like(image)
    h, w = image.shape
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            patch = image[y - 1 : y + 2, x - 1 : x + 2]
            gx[y, x] = (patch[:, 2] * [1, 2, 1]).sum() - (patch[:, 0] * [1, 2, 1]).sum()
            gy[y, x] = (patch[2] * [1, 2, 1]).sum() - (patch[0] * [1, 2, 1]).sum()
    return np.hypot(gx, gy), np.arctan2(gy, gx)


def median_filter(image, size=3):
    half = size // 2
    out = image.copy()
    for i in range(half, image.shape[0] - half):
        for j in range(half, image.shape[1] - half):
            window = image[i - half : i + half + 1, j - half : j + half + 1].flatten()
            out[i, j] = sorted(window)[len(window) // 2]
    return out


def otsu(image):
    counts, edges = np.histogram(image, bins=16, range=(0, 256))
    total = counts.sum()
    best, threshold = -1.0, 0
    for t in range(1, 16):
        w0 = counts[:t].sum() / total
        w1 = 1 - w0
        if w0 == 0 or w1 == 0:
            continue
        centers = (edges[:-1] + edges[1:]) / 2
        m0 = (counts[:t] * centers[:t]).sum() / counts[:t].sum()
        m1 = (counts[t:] * centers[t:]).sum() / counts[t:].sum()
        between = w0 * w1 * (m0 - m1) ** 2
        if between > best:
            best, threshold = between, t
    return threshold, best


def flood_fill(image, row, column, color):
    old = image[row, column]
    if old == color:
        return image
    image = image.copy()
    stack = [(row, column)]
    while stack:
        r, c = stack.pop()
        if r < 0 or r >= image.shape[0] or c < 0 or c >= image.shape[1]:
            continue
        if image[r, c] != old:
            continue
        image[r, c] = color
        stack.append((r + 1, c))
        stack.append((r - 1, c))
        stack.append((r, c + 1))
        stack.append((r, c - 1))
    return image


def label_components(mask):
    labels = np.zeros(mask.shape, dtype=int)
    current = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j] and labels[i, j] == 0:
                current += 1
                labels[i, j] = current
                queue = deque([(i, j)])
                while queue:
                    y, x = queue.popleft()
                    for dy, dx in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                        ny, nx = y + dy, x + dx
                        inside = 0 <= ny < mask.shape[0] and 0 <= nx < mask.shape[1]
                        if inside and mask[ny, nx] and labels[ny, nx] == 0:
                            labels[ny, nx] = current
                            queue.append((ny, nx))
    return labels, current


def equalize(image):
    counts = np.bincount(image.ravel(), minlength=256)
    cumulative = counts.cumsum()
    lowest = cumulative[cumulative > 0][0]
    table = np.round((cumulative - lowest) / max(image.size - lowest, 1) * 255).astype(np.uint8)
    return table[image]


def bilinear_resize(image, height, width):
    out = np.empty((height, width))
    for i in range(height):
        for j in range(width):
            y = i * (image.shape[0] - 1) / max(height - 1, 1)
            x = j * (image.shape[1] - 1) / max(width - 1, 1)
            y0, x0 = int(y), int(x)
            y1, x1 = min(y0 + 1, image.shape[0] - 1), min(x0 + 1, image.shape[1] - 1)
            dy, dx = y - y0, x - x0
            top = image[y0, x0] * (1 - dx) + image[y0, x1] * dx
            bottom = image[y1, x0] * (1 - dx) + image[y1, x1] * dx
            out[i, j] = top * (1 - dy) + bottom * dy
    return out


def rotate_nearest(image, angle):
    h, w = image.shape
    cy, cx = (h - 1) / 2, (w - 1) / 2
    out = np.zeros_like(image)
    for i in range(h):
        for j in range(w):
            y = round(cy + (i - cy) * math.cos(angle) - (j - cx) * math.sin(angle))
            x = round(cx + (i - cy) * math.sin(angle) + (j - cx) * math.cos(angle))
            if 0 <= y < h and 0 <= x < w:
                out[i, j] = image[y, x]
    return out


def dilate(mask, times):
    for _ in range(times):
        grown = mask.copy()
        grown[1:] |= mask[:-1]
        grown[:-1] |= mask[1:]
        grown[:, 1:] |= mask[:, :-1]
        grown[:, :-1] |= mask[:, 1:]
        if (grown == mask).all():
            break
        mask = grown
    return mask


def dither(image):
    work = image.astype(float)
    h, w = work.shape
    for y in range(h):
        for x in range(w):
            old = work[y, x]
            new = 255.0 if old > 127 else 0.0
            work[y, x] = new
            error = old - new
            if x + 1 < w:
                work[y, x + 1] += error * 7 / 16
            if y + 1 < h:
                if x > 0:
                    work[y + 1, x - 1] += error * 3 / 16
                work[y + 1, x] += error * 5 / 16
                if x + 1 < w:
                    work[y + 1, x + 1] += error / 16
    return work


def integral_image_sum(image, top, left, bottom, right):
    table = np.zeros((image.shape[0] + 1, image.shape[1] + 1))
    table[1:, 1:] = image.cumsum(axis=0).cumsum(axis=1)
    return table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]


def bounding_box(mask):
    rows = np.any(mask, axis=1)
    columns = np.any(mask, axis=0)
    if not rows.any():
        return None
    top, bottom = np.where(rows)[0][[0, -1]]
    left, right = np.where(columns)[0][[0, -1]]
    return top, left, bottom, right


def psnr(a, b):
    mse = np.mean((a.astype(float) - b.astype(float)) ** 2)
    if mse == 0:
        return float("inf")
    return 20 * math.log10(255 / math.sqrt(mse))


def moving_average(signal, width):
    result = []
    total = 0.0
    for i, value in enumerate(signal):
        total += value
        if i >= width:
            total -= signal[i - width]
        if i >= width - 1:
            result.append(total / width)
    return np.array(result)


def find_peaks(signal, threshold):
    peaks = []
    for i in range(1, len(signal) - 1):
        if signal[i - 1] < signal[i] >= signal[i + 1] and signal[i] > threshold:
            peaks.append(i)
    return peaks


def zero_crossings(signal):
    count = 0
    previous = 0
    for value in signal:
        sign = 1 if value > 0 else -1 if value < 0 else previous
        if previous != 0 and sign != previous:
            count += 1
        previous = sign
    return count


def dft(signal):
    n = len(signal)
    real, imaginary = [], []
    for k in range(n):
        re = im = 0.0
        for t, x in enumerate(signal):
            angle = 2 * math.pi * k * t / n
            re += x * math.cos(angle)
            im -= x * math.sin(angle)
        real.append(re)
        imaginary.append(im)
    return real, imaginary


def dominant_frequency(signal, rate):
    spectrum = np.abs(np.fft.rfft(signal - signal.mean()))
    frequencies = np.fft.rfftfreq(len(signal), 1 / rate)
    return frequencies[np.argmax(spectrum)]


def goertzel(samples, k):
    coefficient = 2 * math.cos(2 * math.pi * k / len(samples))
    s1 = s2 = 0.0
    for x in samples:
        s1, s2 = x + coefficient * s1 - s2, s1
    return s1 * s1 + s2 * s2 - coefficient * s1 * s2


def iir_filter(signal, b, a):
    out = np.zeros_like(signal)
    for n in range(len(signal)):
        for i in range(len(b)):
            if n - i >= 0:
                out[n] += b[i] * signal[n - i]
        for j in range(1, len(a)):
            if n - j >= 0:
                out[n] -= a[j] * out[n - j]
        out[n] /= a[0]
    return out


def haar(signal):
    details = []
    while len(signal) > 1:
        even, odd = signal[::2], signal[1::2]
        details.append((even - odd) / np.sqrt(2))
        signal = (even + odd) / np.sqrt(2)
    return signal, details


def autocorrelation_period(signal):
    centered = signal - np.mean(signal)
    full = np.correlate(centered, centered, mode="full")
    positive = full[len(full) // 2 :]
    for lag in range(1, len(positive) - 1):
        if positive[lag] > positive[lag - 1] and positive[lag] > positive[lag + 1]:
            return lag
    return -1


def run_lengths(bits):
    runs = []
    current, length = bits[0], 1
    for bit in bits[1:]:
        if bit == current:
            length += 1
        else:
            runs.append((current, length))
            current, length = bit, 1
    runs.append((current, length))
    return runs


def hysteresis(signal, low, high):
    state = False
    out = []
    for value in signal:
        if state and value < low:
            state = False
        elif not state and value > high:
            state = True
        out.append(state)
    return out


def dtw(a, b):
    table = np.full((len(a) + 1, len(b) + 1), np.inf)
    table[0, 0] = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = abs(a[i - 1] - b[j - 1])
            table[i, j] = cost + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    return table[len(a), len(b)]


def kalman(measurements, q, r):
    x, p = measurements[0], 1.0
    estimates = np.zeros(len(measurements))
    for k, z in enumerate(measurements):
        p = p + q
        gain = p / (p + r)
        x = x + gain * (z - x)
        p = (1 - gain) * p
        estimates[k] = x
    return estimates


RNG = np.random.default_rng(3)
IMAGE = RNG.integers(0, 256, (6, 7)).astype(float)
BYTES = RNG.integers(0, 256, (5, 6)).astype(np.uint8)
MASK = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 1]], dtype=bool)
SIGNAL = np.sin(np.arange(32) * 2 * np.pi / 8) + 0.1 * RNG.normal(size=32)

PROGRAMS = (
    (convolve2d, (IMAGE, np.ones((3, 3)) / 9), (IMAGE, np.eye(3))),
    (
        sobel,
        (IMAGE,),
    ),
    (median_filter, (IMAGE,), (IMAGE, 5)),
    (otsu, (IMAGE,), (np.full((4, 4), 7.0),)),
    (flood_fill, (MASK.astype(int), 0, 0, 5), (MASK.astype(int), 0, 0, 1), (MASK.astype(int), 2, 0, 7)),
    (label_components, (MASK,), (~MASK,), (MASK[:0],)),
    (
        equalize,
        (BYTES,),
    ),
    (bilinear_resize, (IMAGE, 3, 4), (IMAGE, 1, 9)),
    (rotate_nearest, (IMAGE, 0.5), (IMAGE, math.pi / 2)),
    (dilate, (MASK, 1), (MASK, 9)),
    (
        dither,
        (IMAGE,),
    ),
    (integral_image_sum, (IMAGE, 1, 1, 4, 5), (IMAGE, 0, 0, 6, 7)),
    (bounding_box, (MASK,), (MASK & False,)),
    (psnr, (BYTES, BYTES), (BYTES, BYTES[::-1])),
    (moving_average, (SIGNAL, 4), (SIGNAL, 1)),
    (find_peaks, (SIGNAL, 0.5), (SIGNAL, 9.0)),
    (zero_crossings, (SIGNAL,), (np.zeros(3),)),
    (dft, (SIGNAL[:8],), ([1.0, 2.0],)),
    (
        dominant_frequency,
        (SIGNAL, 100.0),
    ),
    (goertzel, (SIGNAL, 4), (SIGNAL, 5)),
    (
        iir_filter,
        (SIGNAL, [0.2, 0.3], [1.0, -0.5]),
    ),
    (haar, (SIGNAL,), (SIGNAL[:4],)),
    (autocorrelation_period, (SIGNAL,), (np.arange(4.0),)),
    (run_lengths, ([1, 1, 0, 1, 1, 1],), ([0],)),
    (
        hysteresis,
        (SIGNAL, -0.5, 0.5),
    ),
    (
        dtw,
        (SIGNAL[:6], SIGNAL[2:10]),
    ),
    (
        kalman,
        (SIGNAL, 0.01, 0.1),
    ),
)

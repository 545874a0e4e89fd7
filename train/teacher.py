# SPDX-License-Identifier: MIT
"""The teacher: a residual network that judges positions given as planes (src/learn/planes.h).

Each point comes as two bytes, what it is to the side to move and to the other. For an empty point that
is the class that the board keeps anyway, a digest of the four 11-cell windows through it: the line
stem of the network is thus a table in C, and a 5x5 convolution over an embedding of the classes is
all that remains of it here. Global pooling (Wu, "Accelerating self-play learning in Go", 2019) lets
a threat in one corner matter in the other. Heads: a logit for every point, and win/draw/loss.
"""
import copy
import math
import sys

import torch
import torch.nn.functional as F
from torch import nn

import goren

PRESETS = {"tiny": {"channels": 16, "blocks": 2}, "6x96": {"channels": 96, "blocks": 6},
           "8x96": {"channels": 96, "blocks": 8}, "10x128": {"channels": 128, "blocks": 10}}
EMBEDDING, HEAD, HIDDEN, POOL_EVERY = 32, 32, 64, 3


HOWS = ["auto", "plain", "half", "cudnn", "compile"]  # see Judge


class ConvNorm(nn.Module):
    """Convolution and batch normalisation; `fold` makes one convolution of both."""

    def __init__(self, inputs, outputs, side):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, side, padding=side // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs, momentum=0.02)

    def forward(self, x):
        return self.norm(self.conv(x))

    def folded(self):
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return (self.conv.weight * scale[:, None, None, None],
                self.norm.bias - self.norm.running_mean * scale)


def pooled(x, mask, points):
    """Mean and maximum over the board of features that are not negative."""
    x = x * mask
    return torch.cat([x.sum((2, 3)) / points, x.amax((2, 3))], 1)


def conv_relu(layer, x):
    """One kernel where the judge found that cuDNN fuses it, else two."""
    if getattr(layer, "fused", False):
        return torch.cudnn_convolution_relu(x, layer.weight, layer.bias, layer.stride,
                                            layer.padding, layer.dilation, 1)
    return F.relu(layer(x))


def conv_add_relu(layer, x, skip):
    if getattr(layer, "fused", False):
        return torch.cudnn_convolution_add_relu(x, layer.weight, skip, 1.0, layer.bias,
                                                layer.stride, layer.padding, layer.dilation, 1)
    return F.relu(skip + layer(x))


class Block(nn.Module):
    def __init__(self, channels, pools):
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.second = ConvNorm(channels, channels, 3)
        self.pool = nn.Linear(2 * channels, channels) if pools else None
        nn.init.zeros_(self.second.norm.weight)  # a block begins as nothing

    def forward(self, x, mask, points):
        y = conv_relu(self.first, x)
        if self.pool is not None:
            y = y + self.pool(pooled(y, mask, points))[:, :, None, None]
        return conv_add_relu(self.second, y, x) * mask


class Teacher(nn.Module):
    def __init__(self, channels=96, blocks=6):
        super().__init__()
        self.config = {"channels": channels, "blocks": blocks}
        self.table = nn.Parameter(torch.randn(goren.PLANES, goren.VALUES, EMBEDDING) / 4)
        self.kind = nn.Parameter(torch.zeros(goren.KINDS, EMBEDDING))
        self.stem = ConvNorm(EMBEDDING, channels, 5)
        self.blocks = nn.ModuleList(
            Block(channels, i % POOL_EVERY == POOL_EVERY - 1) for i in range(blocks))
        self.policy_in = ConvNorm(channels, HEAD, 1)
        self.policy_out = nn.Conv2d(HEAD, 1, 1)
        self.value_in = ConvNorm(channels, channels, 1)
        self.policy_pool = nn.Linear(2 * channels, HEAD)
        self.value_mid = nn.Linear(2 * channels, HIDDEN)
        self.value_out = nn.Linear(HIDDEN, 3)

    def embed(self, planes, kinds):
        """n x 2 x points bytes to n x points x EMBEDDING."""
        if not self.training:
            own, other = planes[:, 0].int(), planes[:, 1].int()
            x = F.embedding(own, self.table[0]) + F.embedding(other, self.table[1])
            return x + F.embedding(kinds.int(), self.kind)[:, None]
        # Gradients of a look-up are a slow scatter; those of a product are not.
        values = torch.arange(goren.VALUES, device=planes.device, dtype=torch.uint8)
        hot = (planes.permute(0, 2, 1).unsqueeze(-1) == values).flatten(2)
        rule = F.one_hot(kinds.long(), goren.KINDS)
        kind = torch.bfloat16 if torch.is_autocast_enabled() else self.table.dtype
        x = F.linear(hot.to(kind), self.table.flatten(0, 1).t())
        return x + (rule.to(x.dtype) @ self.kind.to(x.dtype))[:, None]

    def forward(self, planes, kinds):
        """Logits of all points (n x points) and of win, draw, loss (n x 3)."""
        n, area = planes.shape[0], planes.shape[2]
        side = math.isqrt(area)
        x = self.embed(planes, kinds).view(n, side, side, EMBEDDING).permute(0, 3, 1, 2)
        mask = (planes[:, 0] != goren.OFF).view(n, 1, side, side).to(x.dtype)
        points = mask.sum((2, 3))
        x = conv_relu(self.stem, x * mask) * mask
        for block in self.blocks:
            x = block(x, mask, points)
        # Heads read what is normalised: the sum of all blocks grows with their number, and a linear
        # layer on its maximum ran away after 3,500 steps of a network of ten.
        whole = pooled(conv_relu(self.value_in, x), mask, points)
        policy = self.policy_in(x) + self.policy_pool(whole)[:, :, None, None]
        policy = self.policy_out(F.relu(policy)).reshape(n, area)
        return policy, self.value_out(F.relu(self.value_mid(whole)))


def grown(teacher, blocks):
    """The same judgements with so many blocks: the new ones begin as nothing."""
    more = Teacher(teacher.config["channels"], blocks)
    more.load_state_dict(teacher.state_dict(), strict=False)
    return more


def losses(teacher, batch, outcome_share):
    """Cross entropies of policy and win/draw/loss, and how often the first choice agrees."""
    planes = batch["planes"]
    logits, wdl = teacher(planes, batch["kind"])
    logits, wdl = logits.float(), wdl.float()
    logits = logits.masked_fill(planes[:, 0] >= goren.BANNED, -1e9)
    target = batch["policy"].float()
    target = target / target.sum(1, keepdim=True).clamp(min=1)
    policy = -(target * F.log_softmax(logits, 1)).sum(1).mean()
    search = batch["value"]
    zero = torch.zeros_like(search)
    believed = torch.stack([(1 + search) / 2, zero, (1 - search) / 2], 1)
    judged = batch["outcome"] == goren.NO_OUTCOME
    happened = F.one_hot(1 - batch["outcome"].long().clamp(max=1), 3).float()
    happened = torch.where(judged[:, None], believed, happened)
    goal = outcome_share * happened + (1 - outcome_share) * believed
    value = -(goal * F.log_softmax(wdl, 1)).sum(1).mean()
    with torch.no_grad():
        agrees = (logits.argmax(1) == target.argmax(1)).float().mean()
        floor = -(target * target.clamp(min=1e-9).log()).sum(1).mean()
    return policy, value, agrees, floor


class Judge:
    """A frozen copy of a teacher for self-play: normalisation folded away, half the precision, and
    the whole pass recorded as one CUDA graph where there is CUDA. `load` renews its weights in place,
    so the recording stays good.

    Between the convolutions all time goes into moving memory, so `how` says who joins what follows
    a convolution to it: nobody (plain), cuDNN's own fused kernels (cudnn), or PyTorch's compiler
    (compile: fewest passes, but it takes its time at the start). auto: cudnn if it gives the same
    results as plain here, and sooner.

    A processor judges in full precision unless `how` is half: twice as fast where it has
    instructions for that (AVX-512 BF16), far slower where it has not."""

    def __init__(self, teacher, device, how="auto"):
        self.device = torch.device(device)
        self.cuda = self.device.type == "cuda"
        self.net = copy.deepcopy(teacher).eval().requires_grad_(False)
        for module in list(self.net.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, ConvNorm):
                    old = child.conv
                    new = nn.Conv2d(old.in_channels, old.out_channels, old.kernel_size,
                                    padding=old.padding, bias=True).requires_grad_(False)
                    setattr(module, name, new)
        half = self.cuda or how == "half"
        self.net = self.net.to(self.device, torch.bfloat16 if half else torch.float32)
        if half:
            self.net = self.net.to(memory_format=torch.channels_last)
        self.load(teacher)
        self.how = self.choose(how)

    def choose(self, how):
        if not self.cuda or how in ("plain", "half"):
            return "half" if how == "half" else "plain"
        if how == "compile":
            self.net = torch.compile(self.net, dynamic=False)
            return how
        return "cudnn" if self.fuse(only_if_faster=how == "auto") else "plain"

    @torch.no_grad()
    def fuse(self, only_if_faster):
        """Lets cuDNN fuse, if that works here and changes nothing but the last digits."""
        planes = torch.randint(0, goren.BANNED, (2048, 2, 225), dtype=torch.uint8,
                               device=self.device)
        kinds = torch.zeros(2048, dtype=torch.uint8, device=self.device)
        layers = [layer for layer in self.net.modules() if isinstance(layer, nn.Conv2d)]
        before, slow_ms = self.timed(planes, kinds)
        try:
            for layer in layers:
                layer.fused = True
            after, fast_ms = self.timed(planes, kinds)
            same = (after - before).norm() <= 0.05 * before.norm()
            print(f"plain {slow_ms:.2f} ms, cuDNN's fused kernels {fast_ms:.2f} ms, "
                  f"{'the same' if same else 'other'} results", flush=True)
            if same and (fast_ms < slow_ms or not only_if_faster):
                return True
        except RuntimeError as error:
            print(f"cuDNN's fused kernels are not used: {str(error).splitlines()[0]}", flush=True)
        for layer in layers:
            layer.fused = False
        return False

    def timed(self, planes, kinds, passes=8):
        """What the network says, and the milliseconds of one pass."""
        for _ in range(3):
            said = self.net(planes, kinds)
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        for _ in range(passes):
            said = self.net(planes, kinds)
        events[1].record()
        events[1].synchronize()
        return torch.cat([x.float() for x in said], 1), events[0].elapsed_time(events[1]) / passes

    @torch.no_grad()
    def load(self, teacher):
        net = getattr(self.net, "_orig_mod", self.net)  # within a compiled one
        mine = dict(net.named_modules())
        done = set()
        for name, module in teacher.named_modules():
            if isinstance(module, ConvNorm):
                weight, bias = module.folded()
                mine[name].weight.copy_(weight)
                mine[name].bias.copy_(bias)
                done.add(name)
        parameters = dict(net.named_parameters())
        for name, value in teacher.named_parameters():
            if name in parameters and not any(name.startswith(n + ".") for n in done):
                parameters[name].copy_(value)

    @torch.no_grad()
    def __call__(self, planes, kinds):
        """Logits as bfloat16 and the expected result, for the side to move."""
        policy, wdl = self.net(planes, kinds)
        wdl = torch.softmax(wdl.float(), 1)
        return policy.to(torch.bfloat16), wdl[:, 0] - wdl[:, 2]


class Desk:
    """Takes one kind of batch (goren.Batch) to the judge and back, without waiting."""

    def __init__(self, judge, batch, graph=True):
        self.judge, self.batch = judge, batch
        self.busy_ms = 0.0
        self.pending = False
        if not judge.cuda:
            return
        self.planes = torch.zeros_like(batch.planes, device=judge.device)
        self.kinds = torch.zeros_like(batch.kinds, device=judge.device)
        self.begun = torch.cuda.Event(enable_timing=True)
        self.ended = torch.cuda.Event(enable_timing=True)
        self.graph = None
        if graph:
            self.record()

    def record(self):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.judge(self.planes, self.kinds)
        torch.cuda.current_stream().wait_stream(stream)
        try:
            recording = torch.cuda.CUDAGraph()
            with torch.cuda.graph(recording):
                self.answer = self.judge(self.planes, self.kinds)
            self.graph = recording
        except RuntimeError as error:
            print(f"no CUDA graph, going on without: {error}", flush=True)
            torch.cuda.synchronize()

    def send(self):
        batch = self.batch
        if not self.judge.cuda:
            policy, value = self.judge(batch.planes, batch.kinds)
            batch.policy.copy_(policy)
            batch.value.copy_(value)
            return
        self.begun.record()
        self.planes.copy_(batch.planes, non_blocking=True)
        self.kinds.copy_(batch.kinds, non_blocking=True)
        if self.graph:
            self.graph.replay()
            policy, value = self.answer
        else:
            policy, value = self.judge(self.planes, self.kinds)
        batch.policy.copy_(policy, non_blocking=True)
        batch.value.copy_(value, non_blocking=True)
        self.ended.record()
        self.pending = True

    def receive(self):
        """Waits for the answer to the last batch."""
        if not self.pending:
            return
        self.ended.synchronize()
        self.busy_ms += self.begun.elapsed_time(self.ended)
        self.pending = False


def save(path, teacher, average, **more):
    """Small: the weights in training and their average, whatever is large in half precision."""
    def half(module):
        return {k: v.detach().cpu().half() if v.is_floating_point() and v.dim() > 1 else v.cpu()
                for k, v in module.state_dict().items()}
    torch.save({"config": teacher.config, "teacher": half(teacher), "average": half(average),
                **more}, path)


def load(path, device="cpu"):
    """The teacher, its average, and everything else that save was given."""
    kept = torch.load(path, map_location="cpu")
    teacher, average = (Teacher(**kept["config"]).to(device) for _ in range(2))
    teacher.load_state_dict(kept.get("teacher", kept["average"]))
    average.load_state_dict(kept["average"])
    return teacher, average, kept


def pass_on(path, out):
    """What others need of a teacher: the average alone, to learn from or to go on with."""
    kept = torch.load(path, map_location="cpu")
    del kept["teacher"]
    torch.save(kept, out)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: teacher.py OUT/teacher.pt FILE: writes the averaged weights alone")
    pass_on(*sys.argv[1:])
